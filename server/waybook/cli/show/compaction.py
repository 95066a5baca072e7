"""Compactions as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.notes import lines
from waybook.cli.show.words import heading, plural, safe, table

if TYPE_CHECKING:
    from waybook.compaction.model import Compaction


def show_compaction(result: Compaction) -> None:
    """What was folded, what stays, and the summary; or why there is none."""
    name = safe(result.thread_id or result.session_id)
    if result.state == "needs_check":
        heading(f"{name}: the outcome of this compaction is not known.")
        click.echo("  A summariser was started and may have been paid for; it is not asked again by itself.")
        if result.reason:
            click.echo(f"  {safe(result.reason)}")
        click.echo("  The conversation is as it was. To compact it anew, call again without --operation-key.")
        return
    if result.state == "failed":
        heading(f"{name}: this compaction failed; nothing was changed.")
        click.echo(f"  {safe(result.reason)}")
        return
    again = " (stored result)" if result.repeated else ""
    heading(f"{name}: a summary stands for {plural(result.folded, 'earlier message')}{again}")
    rows = [
        ("kept as they are", plural(result.kept, "last message")),
        ("kept in full beside it", plural(len(result.verbatim), "user message")),
        ("summarised by", safe(f"{result.summariser} {result.model}".strip())),
    ]
    if result.fallback:
        rows.append(("instead an extract", f"because {safe(result.fallback)}"))
    if result.unread:
        rows.append(("not read", f"{plural(result.unread, 'message')}: over the summariser's window"))
    if result.shortened:
        rows.append(("read in part", plural(result.shortened, "message")))
    table(rows)
    click.echo()
    lines(result.summary)
