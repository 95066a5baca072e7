"""List, show, confirm and reject candidates. Listing keeps the derived queue up to date; no model is asked anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from waybook.base.clock import timestamp
from waybook.base.errors import ConflictError, NotFoundError, UsageError
from waybook.memory.candidates import repository
from waybook.memory.candidates.model import MAX_RETURNED, Candidate, Decision, Queue, Review
from waybook.memory.model import Draft, SourceKind
from waybook.sessions.threads.service import require_version
from waybook.store import erase

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.memory.candidates.repository import Source
    from waybook.memory.model import Memory
    from waybook.store.store import Connection, Store


class MemoryWriter(Protocol):
    """What writes a memory within a transaction of the caller: the memory service."""

    def create_in(self, connection: Connection, draft: Draft, actor: Actor) -> Memory:
        """The memory that was written. Raises as creating one does; then nothing was."""
        ...


@dataclass(frozen=True, slots=True)
class _Plan:
    """What separates the stored queue from what the notes say."""

    derived: list[Source]
    scanned: int
    kept: dict[str, Candidate]

    @property
    def outdated(self) -> list[tuple[Candidate, Source]]:
        return [
            (self.kept[found.note.id], found)
            for found in self.derived
            if found.note.id in self.kept and _differs(self.kept[found.note.id], found)
        ]

    @property
    def new(self) -> list[Source]:
        return [found for found in self.derived if found.note.id not in self.kept]

    @property
    def gone(self) -> list[Candidate]:
        notes = {found.note.id for found in self.derived}
        return [candidate for note_id, candidate in self.kept.items() if note_id not in notes]

    @property
    def settled(self) -> bool:
        return not (self.new or self.outdated or self.gone)


class CandidateService:
    """The candidates of every workspace. `memories` writes what is confirmed."""

    def __init__(self, store: Store, memories: MemoryWriter) -> None:
        self._store = store
        self._memories = memories

    def list(self, workspace_id: str, actor: Actor) -> Queue:
        """The pending candidates of a workspace, derived from its notes now; at most 50, from at most 200 notes.

        Candidates are for people alone, so an agent is refused (`RefusedError`).
        """
        actor.require_operator("see candidates for memory")
        with self._store.read() as connection:
            plan = _plan(connection, workspace_id)
        forgets = False
        if not plan.settled:
            with self._store.write() as connection:
                plan = _plan(connection, workspace_id)
                forgets = bool(plan.gone or plan.outdated)
                self._carry_out(connection, plan)
                plan = _plan(connection, workspace_id)
        waiting = [plan.kept[found.note.id] for found in plan.derived]
        return Queue(
            candidates=tuple(waiting[:MAX_RETURNED]),
            scanned=plan.scanned,
            more=len(waiting[MAX_RETURNED:]),
            erasure=self._erasure() if forgets else "done",
        )

    def reviewed(self, workspace_id: str, actor: Actor) -> tuple[Candidate, ...]:
        """The newest 50 tombstones of a workspace: who confirmed or rejected what, and when, without any text."""
        actor.require_operator("see candidates for memory")
        with self._store.read() as connection:
            return repository.reviewed(connection, workspace_id, MAX_RETURNED)

    def show(self, candidate_id: str, actor: Actor) -> Candidate:
        """One candidate or tombstone; `source_changed` says whether it must be listed anew. Raises `NotFoundError`."""
        actor.require_operator("see candidates for memory")
        with self._store.read() as connection:
            candidate = _require(connection, candidate_id)
            changed = candidate.status == "pending" and _changed(connection, candidate)
            return replace(candidate, source_changed=changed)

    def confirm(self, candidate_id: str, review: Review, actor: Actor, *, confirm: bool) -> Decision:
        """Write a candidate as project memory and turn it into a tombstone, in one transaction.

        Holds for exactly what was reviewed: raises `ConflictError` when version, fingerprint or the source note are not
        those any more, and `UsageError` without `confirm`. Repeating it writes nothing and answers the same memory.
        """
        actor.require_operator("confirm a candidate")
        if not confirm:
            raise UsageError(
                "Nothing was kept: the confirmation itself is missing.",
                code="confirm-missing",
                hint="Read the candidate, then pass confirm (on the command line --confirm).",
            )
        return self._decide(candidate_id, review, actor, "confirmed")

    def reject(self, candidate_id: str, review: Review, actor: Actor) -> Decision:
        """Turn a candidate into a tombstone without keeping it. Conflicts and repeats are those of `confirm`."""
        actor.require_operator("reject a candidate")
        return self._decide(candidate_id, review, actor, "rejected")

    def _decide(
        self, candidate_id: str, review: Review, actor: Actor, status: Literal["confirmed", "rejected"]
    ) -> Decision:
        with self._store.write() as connection:
            candidate = _require(connection, candidate_id)
            if candidate.status != "pending":
                return _repeated(candidate, review, status)
            _require_reviewed(connection, candidate, review)
            memory_id = None
            if status == "confirmed":
                memory_id = self._memories.create_in(connection, _draft(candidate), actor).id
            repository.bury(connection, candidate, memory_id, actor.name, timestamp(self._store.clock.now()))
            erase.mark(connection)
            buried = _require(connection, candidate_id)
        return Decision(buried, memory_id, repeated=False, erasure=self._erasure())

    def _carry_out(self, connection: Connection, plan: _Plan) -> None:
        now = timestamp(self._store.clock.now())
        for candidate in plan.gone:
            repository.drop_candidate(connection, candidate.id)
        for candidate, found in plan.outdated:
            repository.refresh_candidate(connection, candidate, found, now)
        for found in reversed(plan.new):
            repository.add_candidate(connection, self._store.ids.new("cnd"), found, now)
        if plan.gone or plan.outdated:
            erase.mark(connection)

    def _erasure(self) -> Literal["done", "pending"]:
        return "pending" if self._store.erasure_pending() else "done"


def _plan(connection: Connection, workspace_id: str) -> _Plan:
    scanned = repository.sources(connection, workspace_id)
    derived = [found for found in scanned if found.completion_id]
    return _Plan(derived, len(scanned), repository.pending(connection, workspace_id))


def _differs(candidate: Candidate, found: Source) -> bool:
    note = found.note
    return (candidate.note_version, candidate.fingerprint, candidate.basis.completion_id) != (
        note.version,
        note.fingerprint,
        found.completion_id,
    )


def _changed(connection: Connection, candidate: Candidate) -> bool:
    found = repository.source(connection, candidate.note_id)
    return found is None or not found.completion_id or _differs(candidate, found)


def _require(connection: Connection, candidate_id: str) -> Candidate:
    found = repository.find_candidate(connection, candidate_id)
    if found is None:
        msg = f"There is no candidate {candidate_id!r}."
        raise NotFoundError(
            msg, code="no-candidate", hint="Its note may have changed: `waybook candidates list` derives them anew."
        )
    return found


def _require_reviewed(connection: Connection, candidate: Candidate, review: Review) -> None:
    require_version("candidate", candidate.id, candidate.version, review.version)
    again = "Look again: `waybook candidates list`, then decide on what it shows."
    if candidate.fingerprint != review.fingerprint:
        msg = f"The candidate {candidate.id} has another fingerprint than the one reviewed; nothing was written."
        raise ConflictError(msg, code="fingerprint-conflict", hint=again, current_fingerprint=candidate.fingerprint)
    if candidate.note_version != review.note_version or _changed(connection, candidate):
        msg = f"The note {candidate.note_id} behind the candidate {candidate.id} has moved on; nothing was written."
        raise ConflictError(msg, code="source-changed", hint=again, note_version=candidate.note_version)


def _repeated(candidate: Candidate, review: Review, status: str) -> Decision:
    """The decision made before, when this is the same one; else a conflict."""
    seen = Review(candidate.version - 1, candidate.fingerprint, candidate.note_version)
    if candidate.status != status or review != seen:
        msg = f"The candidate {candidate.id} was {candidate.status} by {candidate.reviewed_by} before."
        raise ConflictError(
            msg,
            code="already-reviewed",
            hint="A decision stands. What was confirmed is edited or deleted as a memory.",
            found=candidate.status,
        )
    return Decision(candidate, candidate.memory_id, repeated=True, erasure="done")


def _draft(candidate: Candidate) -> Draft:
    return Draft(
        scope="project",
        scope_id=candidate.workspace_id,
        title=candidate.title or "",
        content=candidate.content or "",
        source_kind=SourceKind.CANDIDATE,
        source_ref=f"note:{candidate.note_id}@{candidate.note_version}",
        references=candidate.references or (),
    )
