"""Notes as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, safe, table, when

if TYPE_CHECKING:
    from waybook.commands.notes_list import Notes
    from waybook.sessions.notes.model import Note


def lines(text: str, indent: str = "  | ") -> None:
    """A text line by line behind a bar, with control characters made visible."""
    for line in text.replace("\r\n", "\n").split("\n"):
        click.echo(f"{indent}{safe(line)}".rstrip())


def show_note(note: Note) -> None:
    """One note with its text and sources."""
    heading(f"{note.id}  {note.kind}, {note.status}, version {note.version}")
    rows = [
        ("title", safe(note.title)),
        ("belongs to", ", ".join(filter(None, (note.thread_id, note.run_id))) or "the workspace alone"),
        ("seen by", "the thread's main agent" if note.visibility == "root" else "the run's sub-agent only"),
        ("written", f"{when(note.created_at)} by {note.author} {safe(note.created_by)}"),
    ]
    if note.version > 1:
        rows.append(("changed", f"{when(note.updated_at)} by {safe(note.updated_by)}"))
    if note.source_ref:
        rows.append(("source", safe(note.source_ref)))
    rows += [("evidence", safe(item)) for item in note.evidence]
    if note.redacted:
        rows.append(("redacted", "secrets in it were replaced"))
    table(rows)
    click.echo()
    lines(note.content)


def show_notes(result: Notes) -> None:
    """One line a note."""
    if not result.notes:
        click.echo("No notes. Write one: waybook notes add --title TEXT --content TEXT")
        return
    table(
        [
            (
                item.id,
                item.kind,
                f"v{item.version}",
                item.status,
                when(item.updated_at),
                safe(item.created_by),
                safe(item.title),
            )
            for item in result.notes
        ],
        "",
    )
