"""The SQL of recall: the validated chain of a run, and the records of each source in keyset order, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, and_, func, or_, select, tuple_

from waybook.memory.model import USER_SCOPE_ID, Scope
from waybook.recall.model import MAX_RUNS, Lineage, Record
from waybook.store.tables import (
    compactions,
    continuity_messages,
    continuity_nodes,
    memories,
    memory_texts,
    messages,
    notes,
    runs,
    sessions,
    thread_runs,
    threads,
    tool_receipts,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import ColumnElement, Connection

    Place = tuple[str | int, ...]

FINISHED = ("ok", "failed")
"""States of calls that have an outcome; unfinished, rejected and unknown ones are never shown as finished."""
_SAID = ("prompt", "answer", "summary")
_CALLS = ("call", "result")


def lineage(connection: Connection, run_id: str) -> Lineage | None:
    """The chain of a run, checked: without a gap, in one workspace, of at most 1,024 runs; None for no such run."""
    run = connection.execute(select(runs.c.workspace_id).where(runs.c.id == run_id)).one_or_none()
    if run is None:
        return None
    own = connection.execute(
        select(thread_runs.c.thread_id, thread_runs.c.sequence).where(thread_runs.c.run_id == run_id)
    ).one_or_none()
    if own is None:
        return Lineage(run_id, run.workspace_id, "", (run_id,))
    query = (
        select(thread_runs.c.sequence, thread_runs.c.run_id, runs.c.workspace_id)
        .join(runs, runs.c.id == thread_runs.c.run_id)
        .join(threads, threads.c.id == thread_runs.c.thread_id)
        .where(thread_runs.c.thread_id == own.thread_id, thread_runs.c.sequence <= own.sequence)
        .where(threads.c.workspace_id == run.workspace_id)
        .order_by(thread_runs.c.sequence)
        .limit(MAX_RUNS + 1)
    )
    chain = connection.execute(query).all()
    whole = [row.sequence for row in chain] == list(range(1, own.sequence + 1)) and len(chain) <= MAX_RUNS
    if not whole or any(row.workspace_id != run.workspace_id for row in chain):
        return None
    return Lineage(run_id, run.workspace_id, own.thread_id, tuple(row.run_id for row in chain))


class Source:
    """One kind of records. `shape`: the types of a place; `key`: the columns that make it, all descending."""

    def __init__(
        self,
        shape: tuple[type, ...],
        key: tuple[Any, ...],
        query: Callable[[Lineage, str], Select[Any]],
        record: Callable[[Connection, Any], Record],
        identity: Callable[[str], ColumnElement[bool] | None],
    ) -> None:
        self.shape = shape
        self._key = key
        self._query = query
        self._record = record
        self._identity = identity

    def newest(self, connection: Connection, chain: Lineage, now: str) -> Place | None:
        """The place of the newest record; None for none."""
        query = self._query(chain, now).with_only_columns(*self._key)
        row = connection.execute(query.order_by(*(column.desc() for column in self._key)).limit(1)).one_or_none()
        return None if row is None else tuple(row)

    def page(
        self, connection: Connection, chain: Lineage, now: str, *, high: Place, after: Place | None, limit: int
    ) -> list[Record]:
        """The next records behind `after`, none newer than `high`."""
        keys = self._query(chain, now).with_only_columns(*self._key).where(self._compared(high, "<="))
        if after is not None:
            keys = keys.where(self._compared(after, "<"))
        keys = keys.order_by(*(column.desc() for column in self._key)).limit(limit)
        places = [tuple(row) for row in connection.execute(keys)]
        # Texts are fetched only for the rows of this page: sorting must not carry them along.
        unique = self._key[-1]
        query = self._query(chain, now).where(unique.in_([place[-1] for place in places]))
        found = [self._record(connection, row) for row in connection.execute(query).all()] if places else []
        return sorted(found, key=lambda record: record.place, reverse=True)

    def find(self, connection: Connection, chain: Lineage, now: str, record_id: str) -> Record | None:
        """The record of this id, if this run may see it now."""
        rule = self._identity(record_id)
        if rule is None:
            return None
        row = connection.execute(self._query(chain, now).where(rule)).one_or_none()
        return None if row is None else self._record(connection, row)

    def _compared(self, place: Place, operator: str) -> ColumnElement[bool]:
        return tuple_(*self._key).op(operator, is_comparison=True)(tuple_(*place))


# --- memory and notes -------------------------------------------------------------------------------------------------


def _memories(chain: Lineage, now: str) -> Select[Any]:
    mine = and_(memories.c.scope == Scope.USER.value, memories.c.scope_id == USER_SCOPE_ID)
    ours = and_(memories.c.scope == Scope.PROJECT.value, memories.c.scope_id == chain.workspace_id)
    unexpired = or_(memories.c.retention_until.is_(None), memories.c.retention_until > now)
    columns = [memories.c[name] for name in ("id", "version", "created_at", "updated_at")]
    return (
        select(*columns, memory_texts.c.title, memory_texts.c.content)
        .join(memory_texts, memory_texts.c.seq == memories.c.text_seq)
        .where(or_(mine, ours), memories.c.status == "active", unexpired)
    )


def _memory(_connection: Connection, row: Any) -> Record:
    place = (row.created_at, row.id)
    return Record("memory", row.id, place, row.version, "active", row.title, row.content, row.updated_at)


def _notes(chain: Lineage, _now: str) -> Select[Any]:
    within: ColumnElement[bool] = notes.c.run_id.in_(chain.runs)
    if chain.thread_id:
        within |= and_(notes.c.thread_id == chain.thread_id, notes.c.run_id.is_(None))
    columns = [notes.c[name] for name in ("id", "version", "created_at", "updated_at", "title", "content", "kind")]
    return select(*columns).where(
        within, notes.c.workspace_id == chain.workspace_id, notes.c.status == "active", notes.c.visibility == "root"
    )


def _note(_connection: Connection, row: Any) -> Record:
    place = (row.created_at, row.id)
    return Record("note", row.id, place, row.version, "active", row.title, row.content, row.updated_at)


# --- what was said and done -------------------------------------------------------------------------------------------


def _log(chain: Lineage, _now: str) -> Select[Any]:
    """What the main agents of the chain's runs were told, said and did; nothing of sub-agents and side chains."""
    receipt = and_(
        tool_receipts.c.session_seq == messages.c.session_seq,
        tool_receipts.c.call_id == messages.c.call_id,
        messages.c.call_id != "",
    )
    own = select(sessions.c.seq).where(sessions.c.run_id.in_(chain.runs), sessions.c.parent == "")
    done = and_(messages.c.kind.in_(_CALLS), tool_receipts.c.state.in_(FINISHED))
    return (
        select(
            *(messages.c[name] for name in ("seq", "kind", "text", "at")),
            *(tool_receipts.c[name] for name in ("name", "arguments", "output", "state")),
        )
        .outerjoin(tool_receipts, receipt)
        .where(
            messages.c.session_seq.in_(own),
            messages.c.side == 0,
            messages.c.hidden == 0,
            messages.c.inherited == 0,
            or_(messages.c.kind.in_(_SAID), done),
        )
    )


def _logged(_connection: Connection, row: Any) -> Record:
    if row.kind in _CALLS:
        text = receipt_text(row.arguments, row.output)
        return Record("receipt", str(row.seq), (row.seq,), 0, row.state, row.name, text, row.at)
    kind = "summary" if row.kind == "summary" else "message"
    return Record(kind, str(row.seq), (row.seq,), 0, "visible", row.kind, row.text, row.at)


def receipt_text(arguments: str, output: str) -> str:
    """What is read of a tool call: its arguments, an empty line, its output."""
    return f"{arguments}\n\n{output}" if arguments else output


# --- summaries and snapshots ------------------------------------------------------------------------------------------


def _summaries(chain: Lineage, _now: str) -> Select[Any]:
    own = select(sessions.c.seq).where(sessions.c.run_id.in_(chain.runs), sessions.c.parent == "")
    within: ColumnElement[bool] = compactions.c.session_seq.in_(own)
    if chain.thread_id:
        within |= compactions.c.thread_id == chain.thread_id
    columns = [compactions.c[name] for name in ("seq", "id", "focus", "summary", "finished_at")]
    return select(*columns).where(within, compactions.c.state == "done")


def _summary(_connection: Connection, row: Any) -> Record:
    title = f"Summary: {row.focus}" if row.focus else "Summary"
    return Record("summary", row.id, (row.seq,), 0, "done", title, row.summary, row.finished_at)


def _snapshots(chain: Lineage, _now: str) -> Select[Any]:
    names = ("seq", "id", "kind", "title", "summary", "compaction_seq", "message_seqs", "created_at")
    return select(*(continuity_nodes.c[name] for name in names)).where(
        continuity_nodes.c.run_id.in_(chain.runs),
        continuity_nodes.c.workspace_id == chain.workspace_id,
        continuity_nodes.c.kind != "root",  # where a run began: nothing was said yet
    )


def _snapshot(connection: Connection, row: Any) -> Record:
    """A snapshot as text: its own summary, the compaction summary it captured, the messages it captured."""
    seqs = [row.compaction_seq, *(int(seq) for seq in row.message_seqs.split(",") if seq)]
    table = continuity_messages
    found = {
        each.seq: each for each in connection.execute(select(table).where(table.c.seq.in_([s for s in seqs if s])))
    }
    pieces = [f"{found[seq].kind}: {found[seq].text}" for seq in seqs if seq in found]
    text = "\n\n".join(filter(None, (row.summary, *pieces)))
    return Record("continuity", row.id, (row.seq,), 0, row.kind, row.title, text, row.created_at)


def _by_id(column: ColumnElement[Any]) -> Callable[[str], ColumnElement[bool] | None]:
    return lambda record_id: column == record_id


def _by_seq(record_id: str) -> ColumnElement[bool] | None:
    return messages.c.seq == int(record_id) if record_id.isascii() and record_id.isdecimal() else None


SOURCES: dict[str, Source] = {
    "memory": Source((str, str), (memories.c.created_at, memories.c.id), _memories, _memory, _by_id(memories.c.id)),
    "note": Source((str, str), (notes.c.created_at, notes.c.id), _notes, _note, _by_id(notes.c.id)),
    "summary": Source((int,), (compactions.c.seq,), _summaries, _summary, _by_id(compactions.c.id)),
    "continuity": Source((int,), (continuity_nodes.c.seq,), _snapshots, _snapshot, _by_id(continuity_nodes.c.id)),
    "log": Source((int,), (messages.c.seq,), _log, _logged, _by_seq),
}
"""Every source, in the order that decides between records of the same time."""


def sources_of(kind: str) -> tuple[str, ...]:
    """The sources that may hold records of a kind; empty for an unknown kind."""
    return {
        "memory": ("memory",),
        "note": ("note",),
        "summary": ("summary", "log"),
        "continuity": ("continuity",),
        "message": ("log",),
        "receipt": ("log",),
    }.get(kind, ())


# --- sub-agents -------------------------------------------------------------------------------------------------------


def specialists(connection: Connection, run_id: str) -> list[tuple[int, str, str, int]]:
    """The sub-agents of a run: (session row, id, native id, attempt). Attempts at one call count from 1, as they began."""
    columns = (sessions.c.seq, sessions.c.id, sessions.c.native_id, sessions.c.agent)
    mains = select(*columns).where(sessions.c.run_id == run_id, sessions.c.parent == "")
    todo: list[Any] = list(connection.execute(mains).all())
    found: dict[int, tuple[int, str, str, int]] = {}
    while todo:
        parent = todo.pop()
        query = (
            select(*columns, sessions.c.parent_call)
            .where(sessions.c.agent == parent.agent, sessions.c.parent == parent.native_id)
            .order_by(sessions.c.started_at, sessions.c.seq)
        )
        attempts: dict[str, int] = {}
        for row in connection.execute(query).all():
            call = row.parent_call or f"session {row.seq}"
            attempts[call] = attempts.get(call, 0) + 1
            if row.seq not in found:
                found[row.seq] = (row.seq, row.id, row.native_id, attempts[call])
                todo.append(row)
    return list(found.values())


def receipts(connection: Connection, session_seq: int) -> list[Any]:
    """The finished calls of a session, in their order."""
    query = (
        select(tool_receipts)
        .join(
            messages,
            and_(messages.c.session_seq == tool_receipts.c.session_seq, messages.c.key == tool_receipts.c.message_key),
        )
        .where(tool_receipts.c.session_seq == session_seq, messages.c.hidden == 0, tool_receipts.c.state.in_(FINISHED))
        .order_by(messages.c.seq)
    )
    return list(connection.execute(query).all())


def open_calls(connection: Connection, session_seq: int) -> int:
    """How many calls of a session have no outcome to be shown."""
    query = select(func.count()).select_from(tool_receipts)
    rule = tool_receipts.c.session_seq == session_seq
    return int(connection.execute(query.where(rule, tool_receipts.c.state.not_in(FINISHED))).scalar_one())
