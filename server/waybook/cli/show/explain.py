"""`waybook explain` as people read it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, plural, safe, size, table, workspace_line

if TYPE_CHECKING:
    from waybook.commands.instructions_explain import Explanation
    from waybook.instructions.model import Snapshot


def show(result: Explanation) -> None:
    """The chain in reading order, what does not apply and why, and the fingerprint."""
    snapshot = result.snapshot
    target = "the workspace root" if snapshot.target_path == "." else safe(snapshot.target_path)
    count = len(snapshot.sources)
    if not count:
        heading(f"No instruction file applies to {target}.")
    else:
        heading(
            f"{plural(count, 'instruction file')} ({size(result.total_bytes)}) {'apply' if count > 1 else 'applies'} to {target}"
        )
    click.echo(f"  {workspace_line(result)}\n")
    if not count:
        click.echo("  An AGENTS.md or CLAUDE.md in the workspace root would apply to every file.\n")
    _chain(snapshot)
    _left_out(snapshot)
    click.echo(f"fingerprint {snapshot.fingerprint}")


def _chain(snapshot: Snapshot) -> None:
    """The sources, grouped under the directory they come from and why it counts."""
    if not snapshot.sources:
        return
    width = max(len(safe(source.path)) for source in snapshot.sources)
    several = snapshot.sources[0].scope != snapshot.sources[-1].scope
    for scope, group in groupby(snapshot.sources, key=lambda source: source.scope):
        nearest = ": nearest, read last" if several and scope == snapshot.sources[-1].scope else ""
        click.secho(f"  from {safe(scope) + '/' if scope else 'the workspace root'}{nearest}", dim=True)
        for source in group:
            redacted = "  (secrets redacted)" if source.redacted else ""
            click.echo(f"  {source.ordinal:>3}  {safe(source.path):<{width}}  {size(source.raw_bytes):>12}{redacted}")
    if len(snapshot.sources) > 1:
        click.echo("\n  Read from top to bottom; where two disagree, the later, nearer one prevails.")
    click.echo()


def _left_out(snapshot: Snapshot) -> None:
    if snapshot.ignored:
        heading("Not applied")
        table([(safe(item.path), item.reason) for item in snapshot.ignored])
        click.echo()
    if snapshot.conflicts:
        heading("Same kind at several levels (both apply, the nearer is read later)")
        table(
            [
                (safe(item.lower_precedence_path), f"then {safe(item.higher_precedence_path)}")
                for item in snapshot.conflicts
            ]
        )
        click.echo()
