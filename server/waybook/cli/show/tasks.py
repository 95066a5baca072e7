"""Contracts of recursive tasks as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, safe, table, when

if TYPE_CHECKING:
    from waybook.commands.tasks_show import ShownTask, ShownTree


def _listed(name: str, items: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(name if place == 0 else "", safe(item)) for place, item in enumerate(items)]


def _task(task: ShownTask) -> None:
    indent = "  " * task.depth
    heading(f"{indent}{task.trace_id}" + (f"  below {task.parent_id}" if task.parent_id else "  root"))
    for brief in task.briefs:
        current = " (current)" if brief is task.briefs[-1] else ""
        click.echo(f"{indent}  brief {brief.version}{current}, {when(brief.created_at)} by {safe(brief.created_by)}")
        rows = [
            ("objective", safe(brief.objective)),
            ("reason", safe(brief.reason)),
            *_listed("done when", brief.completion_criteria),
            *_listed("expected", brief.expected_outputs),
            *_listed("constraint", brief.constraints),
        ]
        table(rows, f"{indent}    ")
    for ref in task.references:
        click.echo(f"{indent}  may read {ref.ref_id} ({ref.kind}, {ref.characters:,} characters, {ref.version[:16]})")
    for result in task.results:
        click.echo(f"{indent}  result {result.number} of brief {result.brief_version}: {result.verdict}")


def show_tree(result: ShownTree) -> None:
    """The anchor, then every task with its briefs and references."""
    heading(f"anchor {result.anchor_sha256[:16] or 'none: an older task, which is not upgraded'}")
    rows = [
        ("objective", safe(result.objective)),
        *_listed("done when", result.completion_criteria),
        *_listed("constraint", result.constraints),
    ]
    if result.anchor_sha256:
        table(rows)
    for task in result.tasks:
        _task(task)
