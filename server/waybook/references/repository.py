"""The SQL of referenced sessions: what the sessions room keeps of imported transcripts and of Waybook's own runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import LargeBinary, Select, and_, case, cast, exists, func, select

from waybook.references.model import SessionRecord
from waybook.sessions.messages.model import Message
from waybook.sessions.messages.repository import LATEST_COMPACTION
from waybook.store.tables import compaction_marks, messages, sessions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

SHOWN = ("prompt", "answer", "summary")
"""The kinds of messages that may be shown: the text of calls, results, reasoning and notices is not even read."""
_BATCH = 256


def list_sessions(connection: Connection) -> tuple[SessionRecord, ...]:
    """Every session but those of subagents, the latest first."""
    query = _records().where(sessions.c.parent == "").order_by(sessions.c.updated_at.desc(), sessions.c.seq.desc())
    return tuple(_record(row) for row in connection.execute(query))


def find_session(connection: Connection, session_id: str) -> SessionRecord | None:
    """One session, subagents' included, with the size of its text; by Waybook's id or, where only one has it, its agent's."""
    rows = connection.execute(_records().where(sessions.c.id == session_id)).all()
    rows = rows or connection.execute(_records().where(sessions.c.native_id == session_id).limit(2)).all()
    if len(rows) != 1:
        return None
    row = rows[0]
    size = select(func.coalesce(func.sum(func.length(cast(messages.c.text, LargeBinary))), 0)).where(
        messages.c.session_seq == row.seq, *_shown()
    )
    summary = _checkpoint(connection, row)
    return _record(row, connection.execute(size).scalar_one() + len(summary.encode()))


def captured_through(connection: Connection, session_id: str) -> int:
    """The highest sequence number of a session's messages; 0 where there are none."""
    query = (
        select(func.coalesce(func.max(messages.c.seq), 0))
        .join(sessions, sessions.c.seq == messages.c.session_seq)
        .where(sessions.c.id == session_id)
    )
    return int(connection.execute(query).scalar_one())


@dataclass(frozen=True, slots=True)
class Compacted:
    """What compactions made of a session. `own`: it is of a run of Waybook's own.

    `summary` is that of Waybook's newest compaction, of the session or of its run's thread ("" for none); `folded` are
    the row numbers of the messages that Waybook's summaries stand for.
    """

    own: bool
    summary: str
    folded: frozenset[int]


def compacted(connection: Connection, session_id: str) -> Compacted:
    """How a session was compacted. It must exist."""
    owner = connection.execute(_records().where(sessions.c.id == session_id)).one()
    folded = (
        select(messages.c.seq)
        .join(compaction_marks, compaction_marks.c.message_seq == messages.c.seq)
        .where(messages.c.session_seq == owner.seq)
    )
    return Compacted(
        owner.run_id is not None,
        _checkpoint(connection, owner),
        frozenset(connection.execute(folded).scalars()),
    )


def _checkpoint(connection: Connection, row: Any) -> str:
    """The summary of Waybook's newest compaction; a thread's covers no subagent of its runs."""
    run_id = "" if row.parent else row.run_id or ""
    found = connection.exec_driver_sql(LATEST_COMPACTION, (row.seq, run_id)).one_or_none()
    return "" if found is None else str(found.summary)


def read_nodes(connection: Connection, session_id: str) -> Iterator[Message]:
    """A session's messages in the order they were written.

    Only messages that may be shown bring their text; the others are there for the order.
    """
    owner = connection.execute(select(sessions.c.seq).where(sessions.c.id == session_id)).one()
    text = case((and_(*_shown()), messages.c.text), else_="").label("text")
    names = ("seq", "key", "parent", "role", "kind", "at", "side", "hidden", "inherited")
    marks = ("side", "hidden", "inherited")
    query = (
        select(*(messages.c[name] for name in names), text)
        .where(messages.c.session_seq == owner.seq)
        .order_by(messages.c.seq)
        .execution_options(yield_per=_BATCH)
    )
    rows = connection.execute(query).mappings()
    return (Message(**{**row, **{name: bool(row[name]) for name in marks}}) for row in rows)


def _shown() -> tuple[Any, ...]:
    folded = exists().where(compaction_marks.c.message_seq == messages.c.seq)
    return (messages.c.kind.in_(SHOWN), messages.c.hidden == 0, messages.c.side == 0, ~folded)


def _records() -> Select[Any]:
    columns = ("seq", "id", "title", "cwd", "agent", "updated_at", "messages", "path", "native_id", "run_id", "parent")
    return select(*(sessions.c[name] for name in columns))


def _record(row: Any, size: int | None = None) -> SessionRecord:
    return SessionRecord(
        id=row.id,
        title=row.title,
        cwd=row.cwd,
        agent=row.agent,
        updated_at=row.updated_at,
        messages=row.messages,
        size=size,
        path=row.path,
        native_id=row.native_id,
    )
