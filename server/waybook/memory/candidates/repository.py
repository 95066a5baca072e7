"""The SQL of candidates: their sources, the pending queue, and the tombstones of what was reviewed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select

from waybook.base.canonical import canonical_json
from waybook.memory.candidates.model import CONFIDENCE, MAX_SCANNED, Basis, Candidate
from waybook.sessions.notes.model import NoteKind
from waybook.sessions.notes.repository import note_of
from waybook.sessions.progress.model import CompletionKind
from waybook.store.tables import candidate_texts, completions, memory_candidates, notes

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from waybook.sessions.notes.model import Note

_TABLE = memory_candidates


@dataclass(frozen=True, slots=True)
class Source:
    """A note that may become a candidate, with the completion it rests on ("" for none yet)."""

    note: Note
    completion_id: str
    basis: str


def _completion(kind: CompletionKind, column: str) -> Any:
    """The first completion of this kind that a note rests on: of its own run, or of its thread where either names none.

    Only a completed run counts for notes written after it as well; whatever else ended before a note was written says
    nothing about it.
    """
    mine = and_(completions.c.kind == kind.value, completions.c[column] == notes.c[column])
    if column == "thread_id":
        mine = and_(mine, or_(completions.c.run_id.is_(None), notes.c.run_id.is_(None)))
    if kind is not CompletionKind.RUN_COMPLETED:
        mine = and_(mine, completions.c.created_at >= notes.c.created_at)
    return (
        select(completions.c.id)
        .where(mine)
        .order_by(completions.c.created_at, completions.c.id)
        .limit(1)
        .correlate(notes)
        .scalar_subquery()
    )


def _may_be_source() -> ColumnElement[bool]:
    return and_(
        notes.c.status == "active",
        notes.c.kind.in_([NoteKind.DECISION.value, NoteKind.SUMMARY.value]),
        notes.c.visibility == "root",
        or_(notes.c.source_ref != "", notes.c.evidence != "[]"),
        ~exists().where(
            _TABLE.c.note_id == notes.c.id,
            _TABLE.c.fingerprint == notes.c.fingerprint,
            _TABLE.c.status != "pending",
        ),
    )


def _sources() -> Select[Any]:
    best = func.coalesce(*(_completion(kind, column) for kind in CompletionKind for column in ("run_id", "thread_id")))
    return select(notes, best.label("completion_id")).where(_may_be_source())


def _with_basis(connection: Connection, rows: list[Any]) -> list[Source]:
    wanted = {row.completion_id for row in rows if row.completion_id}
    query = select(completions.c.id, completions.c.kind).where(completions.c.id.in_(wanted))
    kinds = {row.id: row.kind for row in connection.execute(query)}
    return [Source(note_of(row), row.completion_id or "", kinds.get(row.completion_id, "")) for row in rows]


def sources(connection: Connection, workspace_id: str) -> list[Source]:
    """The newest notes that may become candidates and were not reviewed yet; at most 200."""
    query = (
        _sources()
        .where(notes.c.workspace_id == workspace_id)
        .order_by(notes.c.updated_at.desc(), notes.c.id.desc())
        .limit(MAX_SCANNED)
    )
    return _with_basis(connection, list(connection.execute(query)))


def source(connection: Connection, note_id: str) -> Source | None:
    """The note of this id as a source; None when it can be none (any more)."""
    found = _with_basis(connection, list(connection.execute(_sources().where(notes.c.id == note_id))))
    return found[0] if found else None


def _candidates() -> Select[Any]:
    return (
        select(
            *_TABLE.columns,
            candidate_texts.c.title,
            candidate_texts.c.content,
            candidate_texts.c.refs,
            completions.c.reference,
            completions.c.recorded_by,
            completions.c.created_at.label("recorded_at"),
            notes.c.author,
            notes.c.thread_id,
            notes.c.run_id,
        )
        .outerjoin(candidate_texts, candidate_texts.c.seq == _TABLE.c.text_seq)
        .join(completions, completions.c.id == _TABLE.c.completion_id)
        .join(notes, notes.c.id == _TABLE.c.note_id)
    )


def _candidate(row: Any) -> Candidate:
    kind = CompletionKind(row.basis)
    return Candidate(
        id=row.id,
        workspace_id=row.workspace_id,
        note_id=row.note_id,
        note_version=row.note_version,
        author=row.author,
        thread_id=row.thread_id or "",
        run_id=row.run_id or "",
        basis=Basis(kind, row.completion_id, row.reference, row.recorded_by, row.recorded_at, CONFIDENCE[kind]),
        fingerprint=row.fingerprint,
        status=row.status,
        title=row.title,
        content=row.content,
        references=None if row.refs is None else tuple(json.loads(row.refs)),
        memory_id=row.memory_id,
        reviewed_by=row.reviewed_by,
        reviewed_at=row.reviewed_at,
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def find_candidate(connection: Connection, candidate_id: str) -> Candidate | None:
    """The candidate or tombstone of this id."""
    row = connection.execute(_candidates().where(_TABLE.c.id == candidate_id)).one_or_none()
    return None if row is None else _candidate(row)


def pending(connection: Connection, workspace_id: str) -> dict[str, Candidate]:
    """The pending candidates of a workspace, by note."""
    query = _candidates().where(_TABLE.c.workspace_id == workspace_id, _TABLE.c.status == "pending")
    return {candidate.note_id: candidate for candidate in map(_candidate, connection.execute(query))}


def reviewed(connection: Connection, workspace_id: str, limit: int) -> tuple[Candidate, ...]:
    """The tombstones of a workspace, newest first."""
    query = (
        _candidates()
        .where(_TABLE.c.workspace_id == workspace_id, _TABLE.c.status != "pending")
        .order_by(_TABLE.c.updated_at.desc(), _TABLE.c.id.desc())
        .limit(limit)
    )
    return tuple(map(_candidate, connection.execute(query)))


def _copy(connection: Connection, found: Source) -> dict[str, Any]:
    """Keep a copy of what a note says; the columns of a candidate that follow from its source."""
    note = found.note
    seq = connection.execute(select(func.coalesce(func.max(candidate_texts.c.seq), 0) + 1)).scalar_one()
    references = canonical_json(sorted({*note.evidence, note.source_ref} - {""}))
    connection.execute(
        candidate_texts.insert().values(seq=seq, title=note.title, content=note.content, refs=references)
    )
    return {
        "note_version": note.version,
        "completion_id": found.completion_id,
        "basis": found.basis,
        "fingerprint": note.fingerprint,
        "text_seq": seq,
    }


def add_candidate(connection: Connection, candidate_id: str, found: Source, now: str) -> None:
    """Put a note into the queue."""
    connection.execute(
        _TABLE.insert().values(
            id=candidate_id,
            workspace_id=found.note.workspace_id,
            note_id=found.note.id,
            status="pending",
            version=1,
            created_at=now,
            updated_at=now,
            **_copy(connection, found),
        )
    )


def refresh_candidate(connection: Connection, candidate: Candidate, found: Source, now: str) -> None:
    """Write what the note says now over a pending candidate, as its next version."""
    connection.execute(
        _TABLE.update()
        .where(_TABLE.c.id == candidate.id)
        .values(version=candidate.version + 1, updated_at=now, **_copy(connection, found))
    )


def drop_candidate(connection: Connection, candidate_id: str) -> None:
    """Take a pending candidate out of the queue; its source is none any more."""
    connection.execute(_TABLE.delete().where(_TABLE.c.id == candidate_id))


def bury(connection: Connection, candidate: Candidate, memory_id: str | None, by: str, now: str) -> None:
    """Turn a pending candidate into a tombstone: confirmed with a memory, else rejected."""
    connection.execute(
        _TABLE.update()
        .where(_TABLE.c.id == candidate.id)
        .values(
            status="rejected" if memory_id is None else "confirmed",
            text_seq=None,  # a trigger blanks the text itself
            memory_id=memory_id,
            reviewed_by=by,
            reviewed_at=now,
            version=candidate.version + 1,
            updated_at=now,
        )
    )
