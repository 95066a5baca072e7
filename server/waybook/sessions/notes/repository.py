"""The SQL of notes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from waybook.base.canonical import canonical_json
from waybook.sessions.notes.model import Note, NoteKind
from waybook.store.tables import notes

if TYPE_CHECKING:
    from sqlalchemy import Connection


def note_of(row: Any) -> Note:
    """The record of a row that has every column of the table, and perhaps more."""
    values = {column.name: row._mapping[column] for column in notes.columns}  # noqa: SLF001 - its documented name
    return Note(
        **{
            **values,
            "thread_id": values["thread_id"] or "",
            "run_id": values["run_id"] or "",
            "kind": NoteKind(values["kind"]),
            "evidence": tuple(json.loads(values["evidence"])),
            "redacted": bool(values["redacted"]),
        }
    )


def _values(note: Note) -> dict[str, Any]:
    values = {column.name: getattr(note, column.name) for column in notes.columns}
    values["thread_id"], values["run_id"] = note.thread_id or None, note.run_id or None
    values["kind"], values["redacted"] = note.kind.value, int(note.redacted)
    values["evidence"] = canonical_json(list(note.evidence))
    return values


def add_note(connection: Connection, note: Note) -> None:
    """Add a new note."""
    connection.execute(notes.insert().values(**_values(note)))


def replace_note(connection: Connection, note: Note) -> None:
    """Write a note's next version over the one before."""
    connection.execute(notes.update().where(notes.c.id == note.id).values(**_values(note)))


def find_note(connection: Connection, note_id: str) -> Note | None:
    """The note of this id."""
    row = connection.execute(select(notes).where(notes.c.id == note_id)).one_or_none()
    return None if row is None else note_of(row)


def list_notes(connection: Connection, where: dict[str, str], *, archived: bool, limit: int) -> tuple[Note, ...]:
    """The notes whose columns have these values, newest update first; active ones only unless `archived`."""
    query = select(notes).order_by(notes.c.updated_at.desc(), notes.c.id.desc()).limit(limit)
    for column, value in where.items():
        query = query.where(notes.c[column] == value)
    if not archived:
        query = query.where(notes.c.status == "active")
    return tuple(note_of(row) for row in connection.execute(query))
