"""Compact a conversation: plan, ask a summariser outside any transaction, and save everything at once or nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from waybook.base.canonical import digest
from waybook.base.clock import timestamp
from waybook.base.errors import CancelledError, ConflictError, NotFoundError, UsageError, WaybookError
from waybook.compaction import plan as planning
from waybook.compaction import repository
from waybook.compaction.extractive import Extractive
from waybook.compaction.model import MAX_FOCUS, MAX_SUMMARY_BYTES, Compaction, Subject, Surface
from waybook.compaction.summariser import OutcomeUnknownError, Request, Summariser
from waybook.compaction.window import Fitted, estimate, fit, verbatim
from waybook.sessions.messages import repository as session_repository
from waybook.sessions.text import require_storable, require_writer
from waybook.sessions.threads.service import require_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.base.actor import Actor
    from waybook.base.cancel import Progress
    from waybook.compaction.plan import Plan
    from waybook.store.store import Store

MAX_KEY_BYTES = 128
DEFAULT_WINDOW = 128_000
"""Tokens; used where a summariser's own window is not known and for what stays in full."""
DEFAULT_KEEP = 8_000
"""Tokens of user messages kept in full, where the window leaves so many."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked. `window`: tokens of the model the conversation goes on with; `keep`: tokens of user messages in full.

    `within_run`: the run that asks by itself before its next request; "" for a person.
    """

    subject: Subject
    operation_key: str
    focus: str = ""
    window: int = DEFAULT_WINDOW
    keep: int = DEFAULT_KEEP
    within_run: str = ""


class CompactionService:
    """Compactions of a store. `mask` hides secrets in what a model answers; `count` tells the tokens of a text."""

    def __init__(self, store: Store, mask: Callable[[str], str], count: Callable[[str], int] = estimate) -> None:
        self._store = store
        self._mask = mask
        self._count = count

    def subject(self, name: str) -> Subject:
        """The thread of this id, else the session that an id, a native id or the beginning of one means.

        Raises `NotFoundError`; `UsageError` when several sessions are meant or a session's thread is to be named.
        """
        require_storable("name", name)
        with self._store.read() as connection:
            if name.startswith("thr_"):
                return Subject(thread_id=require_thread(connection, name).id)
            found = session_repository.find(connection, name) if name.strip() else ()
            mains = [session for _, session in found if not session.parent] or [session for _, session in found]
            if not mains:
                raise NotFoundError(
                    f"There is no thread and no imported session {name!r}.",
                    code="no-thread",
                    hint="See `waybook thread list` and `waybook sessions list`; `waybook sessions import` brings new ones.",
                )
            if len(mains) > 1:
                raise UsageError(
                    f"{name!r} may mean {len(mains)} sessions.", code="ambiguous-session", hint="Give more of the id."
                )
            owner = repository.thread_of_session(connection, mains[0].id)
            if owner:
                raise UsageError(
                    f"Session {mains[0].id} belongs to thread {owner}.",
                    code="compact-the-thread",
                    hint=f"waybook thread compact {owner}",
                )
            return Subject(session_id=mains[0].id)

    def compact(self, order: Order, summariser: Summariser, actor: Actor, progress: Progress) -> Compaction:
        """Compact once. The same operation key again gives the stored result and asks nobody.

        Raises `ConflictError` (codes `run-active`, `input-pending`, `nothing-to-compact`, `source-changed`, `key-reused`),
        `UsageError`, and what the summariser raises when it surely failed; then no summary and no mark was written.
        """
        require_writer(actor)
        order = replace(order, operation_key=check_key(order.operation_key), focus=check_focus(order.focus))
        request = digest([order.subject.name, order.focus])
        known = self.stored(order.operation_key, request)
        if known is not None:
            return known
        summariser.check()
        with self._store.read() as connection:
            plan = planning.make(connection, order.subject, within_run=order.within_run)
        window = summariser.window
        before = plan.previous.summary if plan.previous else ""
        fitted = fit(before, plan.folded, order.focus, window, self._count)
        started = self._start(order, plan, summariser, request, actor)
        if started.repeated:
            return started
        try:
            text = summariser.summarise(fitted.request, progress)
        except OutcomeUnknownError as error:
            return replace(started, reason=str(error))
        except CancelledError:
            raise  # it was on its way: nobody knows what came of it
        except WaybookError as error:
            self._fail(started, error.message)
            error.details.setdefault("operation_key", started.operation_key)
            raise
        except Exception as error:
            self._fail(started, f"{summariser.name} failed: {type(error).__name__}")
            raise
        ended = self._settle(replace(started, model=summariser.model), text, fitted, plan, order)
        return self._save(ended, plan, order)

    def stored(self, operation_key: str, request: str = "") -> Compaction | None:
        """The stored result of a key. Raises `ConflictError` when the key stands for another request."""
        with self._store.read() as connection:
            found = repository.find(connection, operation_key)
        if found is None:
            return None
        known, asked = found
        if request and asked != request:
            raise ConflictError(
                f"The operation key {operation_key} belongs to another compaction.",
                code="key-reused",
                hint="Leave --operation-key out, or pass the same thread and focus as then.",
            )
        return replace(known, repeated=True)

    def surface(self, subject: Subject) -> Surface | None:
        """What a model call of this conversation rests on; None while it was never compacted."""
        with self._store.read() as connection:
            newest = repository.latest(connection, subject)
            if newest is None:
                return None
            unmarked = tuple(row.seq for row in repository.rows(connection, subject) if not row.marked)
            return Surface(newest, repository.texts(connection, newest.verbatim), unmarked)

    # --- parts --------------------------------------------------------------------------------------------------------

    def _start(self, order: Order, plan: Plan, summariser: Summariser, request: str, actor: Actor) -> Compaction:
        """Write that the summariser is about to be asked: from here on a death leaves `needs_check`."""
        with self._store.write() as connection:
            found = repository.find(connection, order.operation_key)
            if found is not None:
                return replace(found[0], repeated=True)
            new = Compaction(
                id=self._store.ids.new("cmp"),
                operation_key=order.operation_key,
                thread_id=order.subject.thread_id,
                session_id=order.subject.session_id,
                state="needs_check",
                focus=order.focus,
                summariser=summariser.name,
                model=summariser.model,
                fallback="",
                summary="",
                folded=len(plan.folded),
                kept=plan.kept,
                unread=0,
                shortened=0,
                verbatim=(),
                reason="",
                created_by=actor.name,
                created_at=timestamp(self._store.clock.now()),
                finished_at="",
            )
            repository.open_operation(connection, new, request, plan.source)
            return new

    def _settle(self, started: Compaction, text: str, fitted: Fitted, plan: Plan, order: Order) -> Compaction:
        """The finished record: the model's summary, or an extract of everything where that is empty or too long."""
        unread, shortened = fitted.unread, fitted.shortened
        text = _plain(self._mask(text))
        fallback = "" if text else f"the {started.summariser} summary was empty"
        if len(noted(text, unread, shortened, len(plan.folded), "").encode()) > MAX_SUMMARY_BYTES:
            fallback = f"the {started.summariser} summary was longer than {MAX_SUMMARY_BYTES:,} bytes"
        if fallback:
            whole = Request(plan.previous.summary if plan.previous else "", plan.folded, order.focus)
            text, unread, shortened = _extract(whole, self._mask), 0, 0
        summary = noted(text, unread, shortened, len(plan.folded), fallback)
        left = order.window // 2 - self._count(summary) - sum(map(self._count, plan.kept_text))
        kept = verbatim(plan.prompts, min(order.keep, max(0, left)), self._count)
        return replace(
            started,
            state="done",
            fallback=fallback,
            summary=summary,
            unread=unread,
            shortened=shortened,
            verbatim=tuple(prompt.seq for prompt in kept),
            finished_at=timestamp(self._store.clock.now()),
        )

    def _save(self, ended: Compaction, plan: Plan, order: Order) -> Compaction:
        """Summary and marks in one transaction, if nothing has changed since the plan."""
        try:
            with self._store.write() as connection:
                now = planning.make(connection, order.subject, within_run=order.within_run)
                _require_same(now, plan, order)
                repository.end_operation(connection, ended, [item.seq for item in plan.folded])
        except ConflictError as error:
            self._fail(ended, error.message)
            raise
        return ended

    def _fail(self, started: Compaction, reason: str) -> None:
        now = timestamp(self._store.clock.now())
        failed = replace(started, state="failed", summary="", verbatim=(), fallback="", reason=reason, finished_at=now)
        with self._store.write() as connection:
            repository.end_operation(connection, replace(failed, unread=0, shortened=0), ())


def _require_same(now: Plan, plan: Plan, order: Order) -> None:
    if now.source != plan.source:
        raise ConflictError(
            f"{order.subject.name} changed while it was summarised; nothing was overwritten.",
            code="source-changed",
            hint="Compact it again.",
            operation_key=order.operation_key,
        )


def _plain(text: str) -> str:
    """A text that can be stored: no NUL, no half characters, no space around it."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode().strip()


def _extract(request: Request, mask: Callable[[str], str]) -> str:
    from waybook.base.cancel import Progress

    return _plain(mask(Extractive().summarise(request, Progress())))


def noted(text: str, unread: int, shortened: int, folded: int, fallback: str) -> str:
    """A summary with what a reader must know about it at its end."""
    notes = []
    if fallback:
        notes.append(f"[Extracted word for word, because {fallback}.]")
    if unread:
        notes.append(
            f"[{unread:,} of {folded:,} earlier messages were not read by the summariser; the history has them.]"
        )
    if shortened:
        notes.append("[One message was read in part by the summariser; the history has it whole.]")
    return "\n\n".join((text, *notes))


def check_key(key: str) -> str:
    """An operation key: 1 to 128 bytes, printable, no spaces; raises `UsageError`."""
    if not key.isprintable() or any(map(str.isspace, key)) or not 1 <= len(key.encode()) <= MAX_KEY_BYTES:
        raise UsageError(
            f"An operation key has 1 to {MAX_KEY_BYTES} bytes without spaces.",
            code="bad-operation-key",
            limit=MAX_KEY_BYTES,
            hint="Pass the key that the first call printed, or leave it out.",
        )
    return key


def check_focus(focus: str) -> str:
    """A focus: up to 2,048 characters; raises `UsageError`."""
    focus = focus.strip()
    require_storable("focus", focus)
    if len(focus) > MAX_FOCUS:
        raise UsageError(f"A focus has at most {MAX_FOCUS:,} characters.", code="bad-focus", limit=MAX_FOCUS)
    return focus
