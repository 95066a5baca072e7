"""`waybook doctor` as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, paragraph, safe, table

if TYPE_CHECKING:
    from waybook.commands.doctor import Report


def show(report: Report) -> None:
    """Facts first, problems last, where the eye ends up."""
    heading(f"Waybook {report.version}")
    store = report.store
    rows = [("python", report.python), ("platform", report.platform)]
    rows += [
        (
            "workspace",
            f"{safe(report.workspace)} (found by: {report.workspace_found_by})" if report.workspace else "none",
        )
    ]
    if "error" not in store:
        engine = f"SQLite {store['sqlite_version']} via {store['driver']}, journal {store['journal_mode']}"
        rows += [("database", f"{store['path']} ({engine}, schema {store['schema_version']})")]
    rows += [("cache", f"{safe(report.cache)} (may be deleted at any time)")]
    rows += [(name, version) for name, version in report.packages.items()]
    rows += [(name, safe(state)) for name, state in report.editors.items()]
    table(rows)
    changed = [
        (name, f"{item['value']!r} (from {item['from']})")
        for name, item in report.settings.items()
        if item["from"] != "default"
    ]
    if changed:
        click.echo()
        heading("Settings that differ from the default")
        table(changed)
    if report.notes:
        click.echo()
        heading("Worth knowing")
        for note in report.notes:
            click.echo(paragraph(safe(note), "    ", "  - "))
    click.echo()
    if not report.problems:
        click.secho("No problems found.", fg="green")
        return
    heading("Problems")
    for problem in report.problems:
        click.echo(f"  - {safe(problem)}")
