"""Move runs between states and record what is done; candidates for memory rest on these records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import NotFoundError, UsageError
from waybook.secrets import check_reference, require_clean
from waybook.sessions import repository as runs_repository
from waybook.sessions.model import RunState
from waybook.sessions.moves import require_move
from waybook.sessions.progress import repository
from waybook.sessions.progress.model import Completion, CompletionKind
from waybook.sessions.text import require_writer, short_text
from waybook.sessions.threads.repository import thread_of
from waybook.sessions.threads.service import require_open_thread

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.sessions.model import Run
    from waybook.store.store import Connection, Store

MAX_REFERENCE_BYTES = 512


@dataclass(frozen=True, slots=True)
class Moved:
    """A run in its new state. `completion`: what completing it recorded, else None; `repeated`: it was there before."""

    run: Run
    previous: RunState
    completion: Completion | None
    repeated: bool


class ProgressService:
    """Run states and completions. Agents may call both: a record of work done grants nothing by itself."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def move(self, run_id: str, state: RunState, actor: Actor) -> Moved:
        """Move a run; completing it records the completion in the same transaction. A repeat changes nothing.

        Raises `NotFoundError`, or `ConflictError` for a move that the table in `moves.py` does not have.
        """
        require_writer(actor)
        with self._store.write() as connection:
            run = _require_run(connection, run_id)
            if run.state == state:
                return Moved(run, run.state, None, repeated=True)
            require_move(run_id, run.state, state)
            now = timestamp(self._store.clock.now())
            repository.set_state(connection, run_id, state, now)
            completion = None
            if state is RunState.COMPLETED:
                completion = self._add(connection, CompletionKind.RUN_COMPLETED, run, "", actor, now)
            return Moved(_require_run(connection, run_id), run.state, completion, repeated=False)

    def record(
        self, kind: CompletionKind, actor: Actor, *, run_id: str = "", thread_id: str = "", reference: str = ""
    ) -> Completion:
        """Record that a reply of a thread ended, a delivery checkpoint was taken, or a delivery report passed.

        Names a run, or a thread for what belongs to no run; `reference` (1 to 512 bytes) names the message, checkpoint
        or report, and the same one again changes nothing. A completed run is recorded by `move` alone. Raises
        `UsageError`, `NotFoundError`, `RefusedError`, or `ConflictError` for a closed thread.
        """
        require_writer(actor)
        if kind is CompletionKind.RUN_COMPLETED:
            raise UsageError("A run completes by moving.", code="bad-kind", hint="waybook run move RUN completed")
        if bool(run_id) == bool(thread_id):
            raise UsageError("A completion belongs to a run or to a thread: name one of them.", code="bad-subject")
        reference = short_text("reference", reference, MAX_REFERENCE_BYTES)
        check_reference(reference)
        require_clean(reference, field="reference")
        with self._store.write() as connection:
            run = _require_run(connection, run_id) if run_id else None
            thread_id = thread_id if run is None else thread_of(connection, run.id) or ""
            workspace = require_open_thread(connection, thread_id).workspace_id if thread_id else ""
            found = repository.find_completion(connection, kind, run_id, thread_id, reference)
            if found is not None:
                return replace(found, repeated=True)
            now = timestamp(self._store.clock.now())
            if run is not None:
                return self._add(connection, kind, run, reference, actor, now)
            completion = Completion(
                self._store.ids.new("cpl"), workspace, thread_id, "", kind, reference, actor.name, now
            )
            repository.add_completion(connection, completion)
            return completion

    def _add(
        self, connection: Connection, kind: CompletionKind, run: Run, reference: str, actor: Actor, now: str
    ) -> Completion:
        completion = Completion(
            id=self._store.ids.new("cpl"),
            workspace_id=run.workspace_id,
            thread_id=thread_of(connection, run.id) or "",
            run_id=run.id,
            kind=kind,
            reference=reference,
            recorded_by=actor.name,
            created_at=now,
        )
        repository.add_completion(connection, completion)
        return completion


def _require_run(connection: Connection, run_id: str) -> Run:
    run = runs_repository.find_run(connection, run_id)
    if run is None:
        msg = f"There is no run {run_id!r}."
        raise NotFoundError(msg, code="no-run", hint="`waybook run list` shows the runs.")
    return run


def parse_completion(text: str) -> CompletionKind:
    """The kind of this name, with `-` or `_`; raises `UsageError`."""
    try:
        return CompletionKind(text.replace("-", "_"))
    except ValueError as error:
        raise UsageError(
            f"There is no kind of completion {text!r}.",
            code="bad-kind",
            hint="Record thread_reply, delivery_checkpoint or delivery_report_passed.",
        ) from error
