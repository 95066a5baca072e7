"""The SQL of the tree: stored nodes without their texts, sessions, and what is only shown beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from waybook.continuity.repository import CHUNK
from waybook.store.tables import (
    completions,
    continuity_memory_sets,
    continuity_nodes,
    messages,
    notes,
    runs,
    sessions,
    workspaces,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement, Connection, Select


_TITLE = 80
DELIVERIES = ("delivery_checkpoint", "delivery_report_passed")


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session's row as the tree needs it."""

    seq: int
    id: str
    agent: str
    native_id: str
    run_id: str
    title: str
    forked_from: str
    started_at: str
    messages: int
    inherited: int


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that is only shown: (id, session or run it belongs to, title, time, who made it)."""

    id: str
    owner: str
    title: str
    at: str
    by: str


def tree_of(connection: Connection, session_id: str) -> str:
    """The tree that a session's nodes belong to; the session itself before it has any."""
    query = select(continuity_nodes.c.tree).where(continuity_nodes.c.session_id == session_id).limit(1)
    return connection.execute(query).scalar() or session_id


def session_of_node(connection: Connection, node_id: str) -> str | None:
    """The session that a stored node belongs to."""
    return connection.execute(select(continuity_nodes.c.session_id).where(continuity_nodes.c.id == node_id)).scalar()


def node_rows(connection: Connection, trees: Iterable[str]) -> list[Any]:
    """The rows of every node of these trees, with the run's state and the workspace's root, in the order of writing."""
    sets = continuity_memory_sets
    count = func.coalesce(sets.c.size, 0).label("memories")
    query = (
        select(continuity_nodes, runs.c.state.label("status"), workspaces.c.root_path.label("root"), count)
        .outerjoin(sets, sets.c.seq == continuity_nodes.c.memory_seq)
        .join(workspaces, workspaces.c.id == continuity_nodes.c.workspace_id)
        .outerjoin(runs, runs.c.id == continuity_nodes.c.run_id)
    )
    found = list(_chunks(connection, query, continuity_nodes.c.tree, trees))
    return sorted(found, key=lambda row: row.seq)


def session_infos(connection: Connection, ids: Iterable[str]) -> dict[str, SessionInfo]:
    """The sessions of these ids, as far as they exist."""
    return {item.id: item for item in _sessions(connection, sessions.c.id, ids)}


def named(connection: Connection, agent: str, native_ids: Iterable[str]) -> list[SessionInfo]:
    """The sessions of an agent with these names of its own."""
    return _sessions(connection, sessions.c.native_id, native_ids, sessions.c.agent == agent)


def forked_from(connection: Connection, agent: str, native_ids: Iterable[str]) -> list[SessionInfo]:
    """The sessions that an agent forked from those of these names."""
    return _sessions(connection, sessions.c.forked_from, native_ids, sessions.c.agent == agent)


def _sessions(
    connection: Connection, column: ColumnElement[Any], values: Iterable[str], *rules: ColumnElement[bool]
) -> list[SessionInfo]:
    names = ("seq", "id", "agent", "native_id", "run_id", "title", "forked_from", "started_at", "messages", "inherited")
    query = select(*(sessions.c[name] for name in names)).where(*rules).order_by(sessions.c.started_at, sessions.c.id)
    rows = _chunks(connection, query, column, values)
    return [SessionInfo(**{**row._mapping, "run_id": row.run_id or ""}) for row in rows]  # noqa: SLF001 - its documented name


def summaries(connection: Connection, session_seqs: Iterable[int]) -> list[Shown]:
    """The compactions that sessions hold, of their own."""
    query = (
        select(messages.c.seq, sessions.c.id, messages.c.text, messages.c.at, messages.c.role)
        .join(sessions, sessions.c.seq == messages.c.session_seq)
        .where(messages.c.kind == "summary", messages.c.inherited == 0)
        .order_by(messages.c.seq)
    )
    rows = _chunks(connection, query, messages.c.session_seq, session_seqs)
    return [Shown(f"compaction:{row[1]}/{row[0]}", row[1], line(row[2]), row[3], row[4]) for row in rows]


def decisions(connection: Connection, run_ids: Iterable[str]) -> list[Shown]:
    """The decisions noted in runs that are still in use."""
    query = select(notes.c.id, notes.c.run_id, notes.c.title, notes.c.created_at, notes.c.created_by).where(
        notes.c.kind == "decision", notes.c.status == "active"
    )
    rows = _chunks(connection, query.order_by(notes.c.created_at, notes.c.id), notes.c.run_id, run_ids)
    return [Shown(f"note:{row[0]}", row[1], line(row[2]), row[3], row[4]) for row in rows]


def deliveries(connection: Connection, run_ids: Iterable[str]) -> list[Shown]:
    """The delivery checkpoints and passed reports of runs."""
    table = completions
    query = select(table.c.id, table.c.run_id, table.c.kind, table.c.reference, table.c.created_at, table.c.recorded_by)
    query = query.where(table.c.kind.in_(DELIVERIES)).order_by(table.c.created_at, table.c.id)
    return [
        Shown(f"delivery:{row[0]}", row[1], line(f"{row[2].replace('_', ' ')}: {row[3]}"), row[4], row[5])
        for row in _chunks(connection, query, table.c.run_id, run_ids)
    ]


def line(text: str) -> str:
    """The beginning of a text as one line of at most 80 characters."""
    words = " ".join(text[: 4 * _TITLE].split()) or "untitled"
    return words if len(words) <= _TITLE else f"{words[: _TITLE - 1]}…"


def _chunks(
    connection: Connection, query: Select[Any], column: ColumnElement[Any], values: Iterable[Any]
) -> Iterator[Any]:
    wanted: Sequence[Any] = list(dict.fromkeys(values))
    for start in range(0, len(wanted), CHUNK):
        yield from connection.execute(query.where(column.in_(wanted[start : start + CHUNK])))
