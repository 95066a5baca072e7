"""The SQL of compactions: the messages of a conversation, operations, and marks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, and_, func, insert, select, update

from waybook.compaction.model import SPOKEN, Compaction, Item, Subject, Verbatim
from waybook.store.tables import compaction_marks, compactions, messages, runs, sessions, thread_runs, tool_receipts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection

_BATCH = 500
_ARGUMENTS, _OUTPUT = 300, 500
"""Characters of a call that its short receipt shows; the whole of it stays in the history."""


@dataclass(frozen=True, slots=True)
class Row:
    """A message of the conversation with all that it says, and whether a summary stands for it already."""

    seq: int
    kind: str
    text: str
    at: str
    marked: bool
    call: tuple[str, str, str, str, int | None] | None

    def said(self) -> tuple[Any, ...]:
        """Everything that a change would change."""
        return (self.seq, self.kind, self.text, self.marked, self.call)

    def item(self) -> Item:
        """The message for a summariser; a call as a short receipt."""
        if self.call is None:
            return Item(self.seq, self.kind, self.text, self.at)
        name, arguments, output, state, exit_code = self.call
        came = {"ok": "done", "unfinished": "not finished, outcome unknown"}.get(state, state)
        code = f", exit code {exit_code}" if exit_code not in {None, 0} else ""
        text = f"{name or 'tool'} {_short(arguments, _ARGUMENTS)} -> {came}{code}"
        if output and state != "unfinished":
            text += f": {_short(output, _OUTPUT)}"
        return Item(self.seq, self.kind, text, self.at)


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


@dataclass(frozen=True, slots=True)
class RunStand:
    """A run of the conversation and where it stands."""

    run_id: str
    state: str


def run_stands(connection: Connection, subject: Subject) -> tuple[RunStand, ...]:
    """The runs of a thread in their order; the run of a session, if it has one."""
    if subject.thread_id:
        query = (
            select(runs.c.id, runs.c.state)
            .join(thread_runs, thread_runs.c.run_id == runs.c.id)
            .where(thread_runs.c.thread_id == subject.thread_id)
            .order_by(thread_runs.c.sequence)
        )
    else:
        query = (
            select(runs.c.id, runs.c.state)
            .join(sessions, sessions.c.run_id == runs.c.id)
            .where(sessions.c.id == subject.session_id)
        )
    return tuple(RunStand(*row) for row in connection.execute(query))


def thread_of_session(connection: Connection, session_id: str) -> str:
    """The thread whose run a session belongs to; empty for none."""
    query = (
        select(thread_runs.c.thread_id)
        .join(sessions, sessions.c.run_id == thread_runs.c.run_id)
        .where(sessions.c.id == session_id)
    )
    return connection.execute(query).scalar() or ""


def _session_seqs(connection: Connection, subject: Subject) -> list[int]:
    if subject.session_id:
        return list(connection.execute(select(sessions.c.seq).where(sessions.c.id == subject.session_id)).scalars())
    query = (
        select(sessions.c.seq)
        .join(thread_runs, thread_runs.c.run_id == sessions.c.run_id)
        .where(thread_runs.c.thread_id == subject.thread_id, sessions.c.parent == "")
        .order_by(thread_runs.c.sequence, sessions.c.seq)
    )
    return list(connection.execute(query).scalars())


def rows(connection: Connection, subject: Subject) -> Iterator[Row]:
    """The messages of a conversation in their order: nothing of side chains, nothing the person went back behind.

    Of a thread also nothing that one of its sessions took over from another, which has it already.
    """
    for session_seq in _session_seqs(connection, subject):
        query = _rows(session_seq, inherited=bool(subject.session_id))
        for row in connection.execute(query.execution_options(yield_per=_BATCH)):
            call = None if row.name is None else (row.name, row.arguments, row.output, row.state, row.exit_code)
            yield Row(row.seq, row.kind, row.text, row.at, row.compaction_seq is not None, call)


def _rows(session_seq: int, *, inherited: bool) -> Select[Any]:
    receipt = and_(
        tool_receipts.c.session_seq == messages.c.session_seq,
        tool_receipts.c.call_id == messages.c.call_id,
        messages.c.call_id != "",
    )
    query = (
        select(
            *(messages.c[name] for name in ("seq", "kind", "text", "at")),
            compaction_marks.c.compaction_seq,
            *(tool_receipts.c[name] for name in ("name", "arguments", "output", "state", "exit_code")),
        )
        .outerjoin(compaction_marks, compaction_marks.c.message_seq == messages.c.seq)
        .outerjoin(tool_receipts, receipt)
        .where(messages.c.session_seq == session_seq, messages.c.hidden == 0, messages.c.side == 0)
        .order_by(messages.c.seq)
    )
    return query if inherited else query.where(messages.c.inherited == 0)


# --- operations -------------------------------------------------------------------------------------------------------


def _compactions() -> Select[Any]:
    return select(compactions, sessions.c.id.label("session_id")).outerjoin(
        sessions, sessions.c.seq == compactions.c.session_seq
    )


_COPIED = (
    "id", "operation_key", "state", "focus", "summariser", "model", "fallback", "summary", "folded", "kept", "unread",
    "shortened", "reason", "created_by", "created_at", "finished_at",
)  # fmt: skip


def _compaction(row: Any) -> Compaction:
    values = row._mapping  # noqa: SLF001 - the documented name of a row's mapping
    return Compaction(
        **{name: values[name] for name in _COPIED},
        thread_id=values["thread_id"] or "",
        session_id=values["session_id"] or "",
        verbatim=tuple(json.loads(values["verbatim"])),
    )


def find(connection: Connection, operation_key: str) -> tuple[Compaction, str] | None:
    """The operation of this key, with the digest of what it was asked."""
    row = connection.execute(_compactions().where(compactions.c.operation_key == operation_key)).one_or_none()
    return None if row is None else (_compaction(row), row.request)


def latest(connection: Connection, subject: Subject) -> Compaction | None:
    """The newest compaction of a conversation that was done; for a thread also one of a session that joined it."""
    rule = compactions.c.thread_id == subject.thread_id if subject.thread_id else sessions.c.id == subject.session_id
    if subject.thread_id:
        rule |= compactions.c.session_seq.in_(_session_seqs(connection, subject))
    query = _compactions().where(rule, compactions.c.state == "done").order_by(compactions.c.seq.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return None if row is None else _compaction(row)


def open_operation(connection: Connection, new: Compaction, request: str, source: str) -> None:
    """Write an operation before its summariser is asked: until it ends, its outcome is not known."""
    session_seq = connection.execute(select(sessions.c.seq).where(sessions.c.id == new.session_id)).scalar()
    values = {name: getattr(new, name) for name in _COPIED}
    owner = {"thread_id": new.thread_id or None, "session_seq": None if new.thread_id else session_seq}
    connection.execute(insert(compactions).values(**values, **owner, verbatim="[]", request=request, source=source))


def end_operation(connection: Connection, ended: Compaction, folded: Sequence[int]) -> None:
    """Write how an operation ended, with its marks."""
    values = {
        name: getattr(ended, name)
        for name in ("state", "model", "fallback", "summary", "unread", "shortened", "reason", "finished_at")
    }
    rule = compactions.c.id == ended.id
    connection.execute(update(compactions).where(rule).values(**values, verbatim=json.dumps(list(ended.verbatim))))
    if folded:
        seq = connection.execute(select(compactions.c.seq).where(rule)).scalar_one()
        connection.execute(insert(compaction_marks), [{"message_seq": each, "compaction_seq": seq} for each in folded])


def texts(connection: Connection, seqs: Sequence[int]) -> tuple[Verbatim, ...]:
    """The messages of these row numbers as they are now, in their order."""
    found = {
        row.seq: Verbatim(row.seq, row.at, row.text)
        for row in connection.execute(
            select(messages.c.seq, messages.c.at, messages.c.text).where(messages.c.seq.in_(seqs))
        )
    }
    return tuple(found[seq] for seq in seqs if seq in found)


def counts(connection: Connection, subject: Subject) -> int:
    """How many messages without a mark a conversation has; texts are not read."""
    total = 0
    for session_seq in _session_seqs(connection, subject):
        query = (
            select(func.count())
            .select_from(messages)
            .outerjoin(compaction_marks, compaction_marks.c.message_seq == messages.c.seq)
            .where(
                messages.c.session_seq == session_seq,
                messages.c.hidden == 0,
                messages.c.side == 0,
                messages.c.kind.in_(SPOKEN),
                compaction_marks.c.compaction_seq.is_(None),
            )
        )
        total += connection.execute(query).scalar_one()
    return total
