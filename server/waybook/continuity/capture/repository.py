"""The SQL of what a checkpoint reads: sessions, messages and memories. Nothing here writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from waybook.continuity.model import MemoryReference
from waybook.continuity.rows import fetch
from waybook.sessions.messages.model import Message
from waybook.sessions.messages.repository import LATEST_COMPACTION
from waybook.store.tables import memories

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ROW = (
    "SELECT seq, id, agent, native_id, COALESCE(run_id, ''), title, cwd, forked_from, fork_point FROM sessions "
    "WHERE {} = ? ORDER BY seq LIMIT 1"
)
_BY_ID, _BY_RUN = _ROW.format("id"), _ROW.format("run_id")
_RUN = """
    SELECT r.id, r.workspace_id, w.root_path, m.goal, r.profile, r.target, r.created_by, r.created_at
    FROM runs AS r JOIN missions AS m ON m.id = r.mission_id JOIN workspaces AS w ON w.id = r.workspace_id
    WHERE r.id = ?
"""
_MESSAGE = "SELECT seq, key, parent, role, kind, text, at, inherited FROM messages AS m WHERE session_seq = ? "
_OPEN = (
    "hidden = 0 AND side = 0 AND text <> '' AND NOT EXISTS (SELECT 1 FROM compaction_marks WHERE message_seq = m.seq)"
)
_RECENT = f"{_MESSAGE} AND kind IN ('prompt', 'answer') AND {_OPEN} ORDER BY seq DESC LIMIT ?"
_SUMMARY = f"{_MESSAGE} AND kind = 'summary' AND {_OPEN} ORDER BY seq DESC LIMIT 1"
_MEMORIES = """
    SELECT id, scope, version, content_sha256 FROM memories WHERE status = 'active'
    AND (retention_until IS NULL OR retention_until > ?)
    AND ((scope = 'user' AND scope_id = 'local-user') OR (scope = 'project' AND scope_id = ?))
    ORDER BY scope DESC, id LIMIT ?
"""


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


@dataclass(frozen=True, slots=True)
class RunFacts:
    """As much of a run as continuity needs; `root` is its workspace's."""

    id: str
    workspace_id: str
    root: str
    goal: str
    profile: str
    target: str
    created_by: str
    created_at: str


def run_by(connection: Connection, run_id: str) -> RunFacts | None:
    """The run of this id."""
    rows = fetch(connection, _RUN, (run_id,))
    return RunFacts(*rows[0]) if rows else None


def session_by(connection: Connection, *, id: str = "", run_id: str = "") -> SessionRow | None:  # noqa: A002 - the column's name
    """The session of this id, or of this run."""
    rows = fetch(connection, _BY_RUN if run_id else _BY_ID, (run_id or id,))
    return SessionRow(*rows[0]) if rows else None


def recent(connection: Connection, session_seq: int, limit: int) -> list[Message]:
    """The newest visible prompts and answers of a session, oldest first; none that a compaction stands for."""
    rows = fetch(connection, _RECENT, (session_seq, limit))
    return [_message(row) for row in reversed(rows)]


def latest_summary(connection: Connection, session_seq: int) -> Message | None:
    """The newest visible summary that the session itself holds; none that a compaction stands for."""
    rows = fetch(connection, _SUMMARY, (session_seq,))
    return _message(rows[0]) if rows else None


def _message(row: Any) -> Message:
    seq, key, parent, role, kind, text, at, inherited = row
    return Message(seq, key, parent, role, kind, text, at, inherited=bool(inherited))


def latest_compaction(connection: Connection, session_seq: int | None, run_id: str) -> tuple[str, str, str] | None:
    """(id, summary, time) of the newest compaction that Waybook made of a session or of its run's thread."""
    rows = fetch(connection, LATEST_COMPACTION, (session_seq, run_id))
    return (rows[0][0], rows[0][1], rows[0][2]) if rows else None


def active_memories(connection: Connection, workspace_id: str, now: str, limit: int) -> tuple[MemoryReference, ...]:
    """References of the memories in use: the person's first, then the workspace's, each by id."""
    rows = fetch(connection, _MEMORIES, (now, workspace_id, limit))
    return tuple(MemoryReference(*row) for row in rows)


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
