"""The SQL of referenced sessions: what the sessions room keeps of imported transcripts and of Waybook's own runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import LargeBinary, Select, and_, case, cast, func, select

from waybook.references.model import SessionRecord
from waybook.sessions.messages.model import Message
from waybook.store.tables import messages, sessions

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
    return _record(row, connection.execute(size).scalar_one())


def captured_through(connection: Connection, session_id: str) -> int:
    """The highest sequence number of a session's messages; 0 where there are none."""
    query = (
        select(func.coalesce(func.max(messages.c.seq), 0))
        .join(sessions, sessions.c.seq == messages.c.session_seq)
        .where(sessions.c.id == session_id)
    )
    return int(connection.execute(query).scalar_one())


def read_nodes(connection: Connection, session_id: str) -> tuple[bool, Iterator[Message]]:
    """Whether a session is of a run of Waybook's own, and its messages in the order they were written.

    Only messages that may be shown bring their text; the others are there for the order.
    """
    owner = connection.execute(select(sessions.c.seq, sessions.c.run_id).where(sessions.c.id == session_id)).one()
    text = case((and_(*_shown()), messages.c.text), else_="").label("text")
    names = ("seq", "key", "parent", "role", "kind", "at", "side", "hidden")
    query = (
        select(*(messages.c[name] for name in names), text)
        .where(messages.c.session_seq == owner.seq)
        .order_by(messages.c.seq)
        .execution_options(yield_per=_BATCH)
    )
    rows = connection.execute(query).mappings()
    return owner.run_id is not None, (
        Message(**{**row, "side": bool(row["side"]), "hidden": bool(row["hidden"])}) for row in rows
    )


def _shown() -> tuple[Any, ...]:
    return (messages.c.kind.in_(SHOWN), messages.c.hidden == 0, messages.c.side == 0)


def _records() -> Select[Any]:
    columns = ("seq", "id", "title", "cwd", "agent", "updated_at", "messages", "path", "native_id")
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
