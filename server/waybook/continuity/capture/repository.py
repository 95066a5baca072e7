"""The SQL of what a checkpoint reads: sessions, messages and memories. Nothing here writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, exists, or_, select

from waybook.continuity.model import MemoryReference
from waybook.sessions.messages.model import Message
from waybook.store.tables import memories, messages, metadata, sessions, thread_runs

if TYPE_CHECKING:
    from sqlalchemy import Connection

_SHOWN = ("prompt", "answer")


@dataclass(frozen=True, slots=True)
class SessionRow:
    """As much of a session as continuity needs; `run_id` is "" for an agent's own."""

    seq: int
    id: str
    agent: str
    native_id: str
    run_id: str
    title: str
    cwd: str
    forked_from: str
    fork_point: str


_ROW = tuple(
    sessions.c[name]
    for name in ("seq", "id", "agent", "native_id", "run_id", "title", "cwd", "forked_from", "fork_point")
)


def _row(row: Any) -> SessionRow:
    return SessionRow(**{**row, "run_id": row["run_id"] or ""})


def session_by(connection: Connection, *, id: str = "", run_id: str = "") -> SessionRow | None:  # noqa: A002 - the column's name
    """The session of this id, or of this run."""
    rule = sessions.c.run_id == run_id if run_id else sessions.c.id == id
    row = connection.execute(select(*_ROW).where(rule).order_by(sessions.c.seq).limit(1)).mappings().first()
    return None if row is None else _row(row)


def recent(connection: Connection, session_seq: int, limit: int) -> list[Message]:
    """The newest visible prompts and answers of a session, oldest first."""
    names = ("seq", "key", "parent", "role", "kind", "text", "at", "inherited")
    query = (
        select(*(messages.c[name] for name in names))
        .where(messages.c.session_seq == session_seq, messages.c.kind.in_(_SHOWN), *_visible())
        .order_by(messages.c.seq.desc())
        .limit(limit)
    )
    rows = connection.execute(query).mappings().all()
    return [Message(**{**row, "inherited": bool(row["inherited"])}) for row in reversed(rows)]


def _visible() -> tuple[Any, ...]:
    marks = metadata.tables.get("compaction_marks")
    folded = () if marks is None else (~exists().where(marks.c.message_seq == messages.c.seq),)
    return (messages.c.hidden == 0, messages.c.side == 0, messages.c.text != "", *folded)


def latest_summary(connection: Connection, session_seq: int) -> Message | None:
    """The newest visible summary that the session itself holds."""
    names = ("seq", "key", "parent", "role", "kind", "text", "at", "inherited")
    query = (
        select(*(messages.c[name] for name in names))
        .where(messages.c.session_seq == session_seq, messages.c.kind == "summary", messages.c.hidden == 0)
        .order_by(messages.c.seq.desc())
        .limit(1)
    )
    row = connection.execute(query).mappings().first()
    return None if row is None else Message(**{**row, "inherited": bool(row["inherited"])})


def latest_compaction(connection: Connection, session_seq: int | None, run_id: str) -> tuple[str, str, str] | None:
    """(id, summary, time) of the newest compaction that Waybook made of a session or of its run's thread."""
    table = metadata.tables.get("compactions")
    if table is None:
        return None
    thread = select(thread_runs.c.thread_id).where(thread_runs.c.run_id == run_id).scalar_subquery()
    query = (
        select(table.c.id, table.c.summary, table.c.finished_at)
        .where(table.c.state == "done", or_(table.c.session_seq == session_seq, table.c.thread_id == thread))
        .order_by(table.c.seq.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return None if row is None else (row[0], row[1], row[2])


def active_memories(connection: Connection, workspace_id: str, now: str, limit: int) -> tuple[MemoryReference, ...]:
    """References of the memories in use: the person's first, then the workspace's, each by id."""
    query = (
        select(memories.c.id, memories.c.scope, memories.c.version, memories.c.content_sha256)
        .where(
            memories.c.status == "active",
            or_(memories.c.retention_until.is_(None), memories.c.retention_until > now),
            or_(memories.c.scope == "user", and_(memories.c.scope == "project", memories.c.scope_id == workspace_id)),
        )
        .order_by(memories.c.scope.desc(), memories.c.id)
        .limit(limit)
    )
    return tuple(MemoryReference(*row) for row in connection.execute(query))


@dataclass(frozen=True, slots=True)
class MemoryState:
    """What a memory is now, without its text."""

    version: int
    sha256: str
    status: str
    retention_until: str


def memory_states(connection: Connection, ids: list[str]) -> dict[str, MemoryState]:
    """The memories of these ids, as far as they exist."""
    found: dict[str, MemoryState] = {}
    for start in range(0, len(ids), 500):
        query = select(
            memories.c.id, memories.c.version, memories.c.content_sha256, memories.c.status, memories.c.retention_until
        ).where(memories.c.id.in_(ids[start : start + 500]))
        for memory_id, version, sha256, status, until in connection.execute(query):
            found[memory_id] = MemoryState(version, sha256, status, until or "")
    return found
