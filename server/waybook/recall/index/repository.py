"""The SQL of the index that concerns the database: what is to be indexed, what has changed, and whether a place holds a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, and_, func, or_, select

from waybook.base.canonical import digest, sha256_hex
from waybook.memory.search import fold
from waybook.store.tables import messages, sessions, tool_receipts, transcript_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

_BATCH = 200
PARTS = 4
"""Numbers that one message takes in the index: for its text, its call's arguments, and its output once that has ended."""
_TEXT, _ARGUMENTS, _OUTPUT = 0, 1, 2


_NEWEST = select(func.coalesce(func.max(messages.c.seq), 0))
_COUNTED = select(
    func.count(),
    func.sum(sessions.c.messages + sessions.c.calls + sessions.c.inherited),
    func.max(sessions.c.imported_at),
    func.max(sessions.c.updated_at),
)
_FILES = select(
    func.count(),
    func.sum(transcript_files.c.position),
    func.sum(transcript_files.c.size),
    func.sum(transcript_files.c.mtime_ns % 1_000_000_007),
    func.max(transcript_files.c.imported_at),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A text to be indexed under a number; `seq` is the message's row number and `number // PARTS`."""

    number: int
    session_seq: int
    seq: int
    text: str

    def digest(self) -> bytes:
        """Eight bytes that tell this text from another."""
        return bytes.fromhex(sha256_hex(self.text)[:16])


def state(connection: Connection) -> str:
    """A digest that differs after anything was imported: cheap, of counters only."""
    counted, files = connection.execute(_COUNTED).one(), connection.execute(_FILES).one()
    return digest([newest(connection), *counted, *files])


def newest(connection: Connection) -> int:
    """The highest row number of a message; 0 for none."""
    return int(connection.execute(_NEWEST).scalar_one())


def file_marks(connection: Connection) -> dict[str, str]:
    """How far each transcript was read, by path."""
    columns = [transcript_files.c[name] for name in ("path", "position", "size", "mtime_ns", "digest")]
    return {
        row.path: f"{row.position} {row.size} {row.mtime_ns} {row.digest}"
        for row in connection.execute(select(*columns))
    }


def session_paths(connection: Connection) -> dict[int, str]:
    """The file of every session, by its row number."""
    return {row.seq: row.path for row in connection.execute(select(sessions.c.seq, sessions.c.path))}


def sessions_with_open_calls(connection: Connection) -> set[int]:
    """Sessions in which a call may still get its result."""
    query = select(tool_receipts.c.session_seq).where(tool_receipts.c.state == "unfinished").distinct()
    return set(connection.execute(query).scalars())


def count_after(connection: Connection, seq: int) -> int:
    """How many messages come after a row number."""
    return int(connection.execute(select(func.count()).select_from(messages).where(messages.c.seq > seq)).scalar_one())


def pieces_after(connection: Connection, seq: int) -> Iterator[Piece]:
    """What is to be indexed of the messages after a row number, in order."""
    query = _pieces().where(messages.c.seq > seq).order_by(messages.c.seq)
    yield from _read(connection, query)


def pieces_of(connection: Connection, session_seq: int) -> Iterator[Piece]:
    """What is to be indexed of one session."""
    yield from _read(connection, _pieces().where(messages.c.session_seq == session_seq).order_by(messages.c.seq))


def _receipt() -> Any:
    return and_(
        tool_receipts.c.session_seq == messages.c.session_seq,
        tool_receipts.c.call_id == messages.c.call_id,
        messages.c.call_id != "",
    )


def _pieces() -> Select[Any]:
    columns = [messages.c[name] for name in ("seq", "session_seq", "text")]
    receipt = [tool_receipts.c[name] for name in ("arguments", "output", "state")]
    return select(*columns, *receipt).outerjoin(tool_receipts, _receipt())


def _read(connection: Connection, query: Select[Any]) -> Iterator[Piece]:
    for row in connection.execute(query.execution_options(yield_per=_BATCH)):
        ended = row.state not in {None, "unfinished"}
        texts = ((_TEXT, row.text), (_ARGUMENTS, row.arguments), (_OUTPUT, row.output if ended else ""))
        for part, text in texts:
            if text:
                yield Piece(row.seq * PARTS + part, row.session_seq, row.seq, text)


@dataclass(frozen=True, slots=True)
class Place:
    """A message that holds a query, and the text that does."""

    seq: int
    session_id: str
    kind: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Where:
    """Which sessions count: of one agent, in one project, read below one directory; "" means any."""

    agent: str = ""
    below: str = ""
    cwd: str = ""


_HOLDING = (
    select(
        *(messages.c[name] for name in ("seq", "kind", "at", "text")),
        tool_receipts.c.arguments,
        tool_receipts.c.output,
        sessions.c.id,
    )
    .outerjoin(tool_receipts, _receipt())
    .join(sessions, sessions.c.seq == messages.c.session_seq)
    .where(messages.c.hidden == 0, messages.c.inherited == 0)
    .order_by(messages.c.seq.desc())
)


def holding(connection: Connection, seqs: Sequence[int], folded: str, where: Where) -> list[Place]:
    """Those of these messages that are visible and hold a folded query, newest first."""
    fields = ("text", "arguments", "output")
    query = _HOLDING.where(messages.c.seq.in_(seqs))
    if where.agent:
        query = query.where(sessions.c.agent == where.agent)
    if where.below:
        query = query.where(sessions.c.path.startswith(where.below.rstrip("/") + "/", autoescape=True))
    if where.cwd:
        inside = sessions.c.cwd.startswith(where.cwd.rstrip("/") + "/", autoescape=True)
        query = query.where(or_(sessions.c.cwd == where.cwd, inside))
    found = []
    for row in connection.execute(query).mappings():
        text = next((row[name] for name in fields if row[name] and folded in fold(row[name])), None)
        if text is not None:
            found.append(Place(row["seq"], row["id"], row["kind"], row["at"], text))
    return found
