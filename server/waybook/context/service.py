"""Traces, goal trees and audits as they are kept. Each write is one transaction; nothing written is changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import ConflictError, NotFoundError, UsageError
from waybook.context import repository
from waybook.context.audit import AuditRecord, Subject, account
from waybook.context.goals import GoalEvent, GoalTree, fold, settle
from waybook.context.repository import TraceRecord
from waybook.context.trace import Trace
from waybook.instructions.repository import find_run
from waybook.sessions.text import require_limit, require_storable, require_writer
from waybook.sessions.threads.repository import thread_of
from waybook.sessions.threads.service import require_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from waybook.base.actor import Actor
    from waybook.context.assemble import Assembly
    from waybook.context.model import Injected, Message
    from waybook.store.store import Connection, Store

MAX_DEPTH = 8
"""Traces below a root; the database allows 32 (Waybook's choice)."""


@dataclass(frozen=True, slots=True)
class Goals:
    """A goal tree as it stands: whose it is, how many things were done to it, its goals, which one is in focus."""

    owner: str
    version: int
    tree: GoalTree


class ContextService:
    """The traces of one store. `mask` hides secrets in what is kept."""

    def __init__(self, store: Store, *, mask: Callable[[str], str]) -> None:
        self._store = store
        self._mask = mask

    # --- traces -------------------------------------------------------------------------------------------------------

    def open_root(
        self, actor: Actor, *, run_id: str = "", thread_id: str = "", capabilities: Sequence[str] = ()
    ) -> TraceRecord:
        """Start an empty trace, of a run or thread if one is named. Raises `NotFoundError`."""
        with self._store.write() as connection:
            return self.open_in(connection, actor, None, run_id=run_id, thread_id=thread_id, capabilities=capabilities)

    def open_in(
        self,
        connection: Connection,
        actor: Actor,
        parent: TraceRecord | None,
        *,
        run_id: str = "",
        thread_id: str = "",
        capabilities: Sequence[str] = (),
    ) -> TraceRecord:
        """Start an empty trace below a parent, within the caller's transaction.

        It takes lineage, run and thread of its parent, and of its capabilities only what the parent has as well.
        Raises `UsageError` when it would lie too deep.
        """
        require_writer(actor)
        trace_id = self._store.ids.new("trc")
        now = timestamp(self._store.clock.now())
        if parent is None:
            if run_id:
                _require_run(connection, run_id)
                thread_id = thread_id or thread_of(connection, run_id) or ""
            if thread_id:
                require_thread(connection, thread_id)
            record = TraceRecord(
                trace_id, trace_id, "", run_id, thread_id, 0, tuple(capabilities), 0, actor.name, now, now
            )
        else:
            if parent.depth >= MAX_DEPTH:
                raise UsageError(
                    f"Tasks lie at most {MAX_DEPTH} levels deep.",
                    code="too-deep",
                    limit=MAX_DEPTH,
                    hint="Do the work at this level.",
                )
            kept = tuple(name for name in capabilities if name in parent.capabilities)
            record = replace(
                parent,
                id=trace_id,
                parent_id=parent.id,
                depth=parent.depth + 1,
                capabilities=kept,
                head=0,
                created_by=actor.name,
                created_at=now,
                updated_at=now,
            )
        repository.add_trace(connection, record)
        return record

    def record(self, trace_id: str) -> TraceRecord:
        """A trace without its messages. Raises `NotFoundError`."""
        with self._store.read() as connection:
            return require_trace(connection, trace_id)

    def newest_trace(self, *, run_id: str = "", thread_id: str = "") -> TraceRecord | None:
        """The newest root trace of a run or thread; None where there is none."""
        key, value = ("run_id", run_id) if run_id else ("thread_id", thread_id)
        with self._store.read() as connection:
            roots = [one for one in repository.traces_of(connection, key, value) if not one.parent_id]
        return roots[-1] if roots else None

    def load(self, trace_id: str) -> Trace:
        """A trace with its messages. Raises `NotFoundError`."""
        with self._store.read() as connection:
            record = require_trace(connection, trace_id)
            messages = repository.messages_of(connection, trace_id)
            return Trace(trace_id, messages, record.head, repository.skills_of(connection, trace_id))

    def append(
        self, trace: Trace, drafts: Sequence[Message], *, parent_sequence: int | None = None
    ) -> tuple[Message, ...]:
        """Keep messages one after another, the first behind `parent_sequence` (default: the head); all or none.

        Each gets a place, the time, and an id where it has none. Raises `ConflictError` when another program wrote to
        the trace meanwhile.
        """
        now = timestamp(self._store.clock.now())
        placed: list[Message] = []
        head, before = trace.head, trace.head if parent_sequence is None else parent_sequence
        for number, draft in enumerate(drafts, trace.last + 1):
            one = replace(
                draft,
                sequence=number,
                parent_sequence=before,
                id=draft.id or self._store.ids.new("msg"),
                content=self._mask(draft.content),
                calls=tuple(replace(call, arguments=self._mask(call.arguments)) for call in draft.calls),
                created_at=draft.created_at or now,
            )
            before, head = number, head if one.branch_type else number
            placed.append(one)
        with self._store.write() as connection:
            if repository.last_sequence(connection, trace.id) != trace.last:
                raise ConflictError(
                    f"Another program wrote to trace {trace.id} meanwhile; nothing was written.",
                    code="trace-changed",
                    hint="Load the trace again.",
                )
            for one in placed:
                repository.add_message(connection, trace.id, one)
            repository.move(connection, trace.id, head, trace.skills, now)
        for one in placed:
            trace.add(one)
        return tuple(placed)

    def note_skill(self, trace: Trace, name: str, at: Injected) -> None:
        """Remember where a skill was given last."""
        trace.skills[name] = at
        with self._store.write() as connection:
            repository.move(connection, trace.id, trace.head, trace.skills, timestamp(self._store.clock.now()))

    def rewind(
        self, trace: Trace, sequence: int, actor: Actor, also: Callable[[Connection], None] = lambda _: None
    ) -> None:
        """Go back to an earlier message; goals become what they were then. `also`: more to do in the transaction.

        Raises as `Trace.rewind` does; then nothing changed.
        """
        shadow = Trace(trace.id, trace.messages, trace.head, trace.skills)
        shadow.rewind(sequence)
        now = timestamp(self._store.clock.now())
        with self._store.write() as connection:
            repository.move(connection, trace.id, shadow.head, shadow.skills, now)
            if repository.goal_events_of(connection, trace.id):
                event = GoalEvent("rewind", "", sequence=sequence, by=actor.name, at=now)
                repository.add_goal_event(connection, trace.id, event)
            also(connection)
        trace.head, trace.skills = shadow.head, shadow.skills

    # --- goals --------------------------------------------------------------------------------------------------------

    def goals(self, owner: str) -> Goals:
        """The goals of a thread, run or trace. Raises `NotFoundError` for another id."""
        with self._store.read() as connection:
            _require_owner(connection, owner)
            events = repository.goal_events_of(connection, owner)
        return Goals(owner, len(events), fold(events))

    def change_goals(
        self,
        owner: str,
        action: str,
        actor: Actor,
        *,
        goal_id: str = "",
        text: str = "",
        under: str = "",
        sequence: int = 0,
    ) -> Goals:
        """Add, focus, finish or abandon a goal. `sequence`: that of the trace then.

        Raises as `goals.settle` does, and `NotFoundError` for an owner that is not there.
        """
        require_writer(actor)
        with self._store.write() as connection:
            _require_owner(connection, owner)
            events = repository.goal_events_of(connection, owner)
            event = settle(fold(events), action, goal_id, self._mask(text), under=under)
            now = timestamp(self._store.clock.now())
            event = replace(event, sequence=sequence, by=actor.name, at=now)
            repository.add_goal_event(connection, owner, event)
            return Goals(owner, len(events) + 1, fold((*events, event)))

    # --- audits -------------------------------------------------------------------------------------------------------

    def account(self, assembly: Assembly, subject: Subject) -> AuditRecord:
        """Keep what a call is sent, before it is sent; one record for each logical call."""
        with self._store.write() as connection:
            record = account(
                assembly,
                self._store.ids.new("aud"),
                subject,
                repository.calls_made(connection, subject.trace_id) + 1,
                timestamp(self._store.clock.now()),
            )
            repository.add_audit(connection, record)
        return record

    def audits(self, subject: Subject, *, call: int = 0, limit: int = 20) -> tuple[AuditRecord, ...]:
        """What past calls of a trace, run or thread were sent, newest first."""
        require_limit(limit, "calls")
        with self._store.read() as connection:
            return repository.audits_of(connection, subject, limit, call)


def require_trace(connection: Connection, trace_id: str) -> TraceRecord:
    """The trace of this id. Raises `NotFoundError`."""
    require_storable("trace id", trace_id)
    found = repository.find_trace(connection, trace_id)
    if found is None:
        raise NotFoundError(
            f"There is no trace {trace_id!r}.", code="no-trace", hint="`waybook context run` starts one."
        )
    return found


def _require_run(connection: Connection, run_id: str) -> None:
    require_storable("run id", run_id)
    if find_run(connection, run_id) is None:
        raise NotFoundError(f"There is no run {run_id!r}.", code="no-run", hint="`waybook run list` shows the runs.")


def _require_owner(connection: Connection, owner: str) -> None:
    if owner.startswith("thr_"):
        require_thread(connection, owner)
    elif owner.startswith("run_"):
        _require_run(connection, owner)
    else:
        require_trace(connection, owner)
