"""The SQL of reading sessions and messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, exists, func, or_, select

from waybook.sessions.messages.model import Message, Receipt, Session
from waybook.store.tables import messages, sessions, tool_receipts, transcript_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sqlalchemy import Connection, Select

_PARENT = sessions.alias("parent_session")
_NAMES = (
    "id", "agent", "native_id", "title", "cwd", "started_at", "updated_at", "messages", "prompts", "calls", "inherited",
    "branch", "version", "model", "parent", "parent_call", "forked_from", "fork_point",
)  # fmt: skip
_MARKS = ("side", "hidden", "inherited")
LATEST_COMPACTION = """
    SELECT id, summary, finished_at FROM compactions WHERE seq = MAX(
        COALESCE((SELECT MAX(seq) FROM compactions WHERE session_seq = ? AND state = 'done'), 0),
        COALESCE((SELECT MAX(c.seq) FROM thread_runs AS t JOIN compactions AS c ON c.thread_id = t.thread_id
            WHERE t.run_id = ? AND c.state = 'done'), 0))
"""
"""The newest compaction that Waybook made of a session (its row number) or of its run's thread (the run's id, or "")."""


def _query() -> Select[Any]:
    known = exists().where(_PARENT.c.agent == sessions.c.agent, _PARENT.c.native_id == sessions.c.forked_from)
    return select(
        sessions.c.seq,
        *(sessions.c[name] for name in _NAMES),
        and_(sessions.c.forked_from != "", ~known).label("parent_missing"),
        sessions.c.path,
        func.coalesce(transcript_files.c.size, 0).label("size"),
    ).outerjoin(transcript_files, transcript_files.c.path == sessions.c.path)


def _session(row: Any) -> Session:
    _seq, *values = row  # in the order of the record's fields
    return Session(*values)


def list_sessions(
    connection: Connection, *, agent: str = "", below: str = "", cwd: str = "", children: bool = False, limit: int = 0
) -> tuple[Session, ...]:
    """Sessions, newest first. `below`: only files below this directory; `cwd`: only this project and what is below it."""
    query = _query().order_by(sessions.c.updated_at.desc(), sessions.c.id)
    if agent:
        query = query.where(sessions.c.agent == agent)
    if below:
        query = query.where(sessions.c.path.startswith(below.rstrip("/") + "/", autoescape=True))
    if cwd:
        inside = sessions.c.cwd.startswith(cwd.rstrip("/") + "/", autoescape=True)
        query = query.where(or_(sessions.c.cwd == cwd, inside))
    if not children:
        query = query.where(sessions.c.parent == "")
    if limit:
        query = query.limit(limit)
    return tuple(_session(row) for row in connection.execute(query))


def find(connection: Connection, name: str, agent: str = "") -> tuple[tuple[int, Session], ...]:
    """Sessions (with their row numbers) whose id or native id is this, else begins so; at most ten."""
    for rule in (
        or_(sessions.c.id == name, sessions.c.native_id == name),
        or_(*(column.startswith(name, autoescape=True) for column in (sessions.c.id, sessions.c.native_id))),
    ):
        query = _query().where(rule).order_by(sessions.c.updated_at.desc()).limit(10)
        if agent:
            query = query.where(sessions.c.agent == agent)
        rows = connection.execute(query).all()
        if rows:
            return tuple((row.seq, _session(row)) for row in rows)
    return ()


def by_ids(connection: Connection, ids: Iterable[str]) -> dict[str, Session]:
    """The sessions of these ids, by id."""
    rows = connection.execute(_query().where(sessions.c.id.in_(list(ids))))
    return {row.id: _session(row) for row in rows}


def children(connection: Connection, session: Session) -> tuple[Session, ...]:
    """The subagents of a session, in the order they began."""
    query = _query().where(sessions.c.agent == session.agent, sessions.c.parent == session.native_id)
    rows = connection.execute(query.order_by(sessions.c.started_at, sessions.c.id))
    return tuple(_session(row) for row in rows)


def forks(connection: Connection, session: Session) -> tuple[Session, ...]:
    """The sessions that were forked from one."""
    query = _query().where(sessions.c.agent == session.agent, sessions.c.forked_from == session.native_id)
    rows = connection.execute(query.order_by(sessions.c.started_at, sessions.c.id))
    return tuple(_session(row) for row in rows)


def read(connection: Connection, session_seq: int, *, after: int = 0, limit: int = 0) -> Iterator[Message]:
    """The messages of a session with their receipts, in the order they were written."""
    join = and_(
        tool_receipts.c.session_seq == messages.c.session_seq,
        tool_receipts.c.call_id == messages.c.call_id,
        messages.c.call_id != "",
    )
    columns = [messages.c[name] for name in ("seq", "key", "parent", "role", "kind", "text", "at", *_MARKS)]
    names = ("call_id", "name", "arguments", "output", "state", "exit_code", "started_at", "finished_at")
    query = (
        select(*columns, *(tool_receipts.c[name].label(f"receipt_{name}") for name in names))
        .outerjoin(tool_receipts, join)
        .where(messages.c.session_seq == session_seq, messages.c.seq > after)
        .order_by(messages.c.seq)
    )
    if limit:
        query = query.limit(limit)
    for row in connection.execute(query).mappings():
        receipt = None
        if row["receipt_call_id"] is not None:
            receipt = Receipt(**{name: row[f"receipt_{name}"] for name in names})
        values: dict[str, Any] = {name: row[name] for name in ("seq", "key", "parent", "role", "kind", "text", "at")}
        marks: dict[str, Any] = {name: bool(row[name]) for name in _MARKS}
        yield Message(**values, **marks, receipt=receipt)


def search(
    connection: Connection, query: str, *, agent: str = "", below: str = "", cwd: str = "", limit: int = 20
) -> tuple[tuple[Session, int, str, str, str], ...]:
    """Messages whose words, arguments or output hold a text (ASCII letters in any case), newest first.

    Yields (session, seq, kind, at, the text that holds it). Hidden and inherited messages are left out.
    """
    join = and_(
        tool_receipts.c.session_seq == messages.c.session_seq,
        tool_receipts.c.call_id == messages.c.call_id,
        messages.c.call_id != "",
    )
    fields = (messages.c.text, tool_receipts.c.arguments, tool_receipts.c.output)
    found = (
        select(messages.c.session_seq, messages.c.seq, messages.c.kind, messages.c.at, *fields)
        .outerjoin(tool_receipts, join)
        .join(sessions, sessions.c.seq == messages.c.session_seq)
        .where(messages.c.hidden == 0, messages.c.inherited == 0)
        .where(or_(*(field.icontains(query, autoescape=True) for field in fields)))
        .order_by(messages.c.seq.desc())
        .limit(limit)
    )
    if agent:
        found = found.where(sessions.c.agent == agent)
    if below:
        found = found.where(sessions.c.path.startswith(below.rstrip("/") + "/", autoescape=True))
    if cwd:
        inside = sessions.c.cwd.startswith(cwd.rstrip("/") + "/", autoescape=True)
        found = found.where(or_(sessions.c.cwd == cwd, inside))
    rows = connection.execute(found).all()
    wanted = {row.session_seq for row in rows}
    owners = {row.seq: _session(row) for row in connection.execute(_query().where(sessions.c.seq.in_(wanted)))}
    low = query.lower()
    return tuple((owners[row.session_seq], row.seq, row.kind, row.at, _holding(row, low)) for row in rows)


def _holding(row: Any, low: str) -> str:
    texts = [text or "" for text in (row.text, row.arguments, row.output)]
    return next((text for text in texts if low in text.lower()), texts[0])
