"""Proposals to pin: anybody may make one, only an operator answers it, and nothing is ever accepted by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from waybook.base.clock import timestamp
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.pins import repository, rules
from waybook.pins.model import MAX_OPEN_PROPOSALS, Answer, Answered, Choice, Proposal
from waybook.pins.service import add_in
from waybook.sessions.text import MAX_LISTED, require_limit, require_writer
from waybook.sessions.threads.repository import thread_of
from waybook.sessions.threads.service import require_open_thread, require_thread

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.pins.model import Pin
    from waybook.store.store import Connection, Store


class ProposalService:
    """The ledger of proposals and of the answers to them: what stands in it is never changed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def propose(self, text: str, actor: Actor, *, thread_id: str = "", run_id: str = "") -> Proposal:
        """Propose a text for the pins of a thread, or of a run's thread. It pins nothing.

        The same text again in the same run is the same proposal, answered or not. Raises `UsageError`, `RefusedError`
        for a secret, a text that is too long or 32 proposals without an answer, `NotFoundError`, or `ConflictError` for
        a closed thread.
        """
        require_writer(actor)
        rules.require_text(text, field="proposal")
        with self._store.write() as connection:
            thread_id = _thread(connection, thread_id, run_id)
            found = repository.same_proposal(connection, thread_id, run_id, text)
            if found is not None:
                return replace(found, repeated=True)
            require_open_thread(connection, thread_id)
            if repository.open_proposals(connection, thread_id) >= MAX_OPEN_PROPOSALS:
                msg = f"The thread has {MAX_OPEN_PROPOSALS} proposals without an answer."
                raise RefusedError(
                    msg, code="too-many-proposals", limit=MAX_OPEN_PROPOSALS, hint="Wait until a person answers some."
                )
            proposal = Proposal(
                id=self._store.ids.new("prp"),
                thread_id=thread_id,
                run_id=run_id,
                text=text,
                characters=len(text),
                status="open",
                answer=None,
                proposed_by=actor.name,
                proposed_at=timestamp(self._store.clock.now()),
            )
            repository.add_proposal(connection, proposal)
            return proposal

    def list(self, thread_id: str, *, closed: bool = False, limit: int = MAX_LISTED) -> tuple[Proposal, ...]:
        """The newest first; those that wait for an answer, and with `closed` the answered and expired ones too."""
        require_limit(limit, "proposals")
        with self._store.read() as connection:
            require_thread(connection, thread_id)
            return repository.proposals_of(connection, thread_id, closed=closed, limit=limit)

    def show(self, proposal_id: str) -> Proposal:
        """One proposal with its answer. Raises `NotFoundError`."""
        with self._store.read() as connection:
            return _require(connection, proposal_id)

    def answer(
        self, proposal_id: str, choice: Choice, actor: Actor, *, reply: str = "", pin_reply: bool = False
    ) -> Answered:
        """Answer a proposal.

        `keep` pins exactly its text, `only_now` pins nothing, `custom` is a reply of one's own, which is pinned only
        with `pin_reply`. The same answer again changes nothing. Raises `UsageError`, `RefusedError` for a secret or full pins (then the
        proposal stays open), `NotFoundError`, or `ConflictError` when it was answered otherwise or has expired.
        """
        actor.require_operator("answer a proposal")
        rules.require_reply(choice, reply, pin_reply=pin_reply)
        with self._store.write() as connection:
            proposal = _require(connection, proposal_id)
            if proposal.answer is not None:
                return _repeated(connection, proposal, choice, reply, pin_reply=pin_reply)
            if proposal.status == "expired":
                msg = f"The proposal {proposal.id} expired when its thread was closed."
                raise ConflictError(msg, code="proposal-expired", hint="Pin the text in another thread, if need be.")
            pin = None
            if choice is Choice.KEEP or pin_reply:
                origin: Literal["proposal", "reply"] = "proposal" if choice is Choice.KEEP else "reply"
                text = proposal.text if choice is Choice.KEEP else reply
                pin = add_in(connection, self._store, proposal.thread_id, text, actor, (origin, proposal.id))
            now = timestamp(self._store.clock.now())
            answer = Answer(choice, reply, pin.id if pin else None, actor.name, now)
            repository.add_answer(connection, proposal.id, answer)
            return Answered(_require(connection, proposal.id), pin, repeated=False)


def _thread(connection: Connection, thread_id: str, run_id: str) -> str:
    if not run_id:
        return require_thread(connection, thread_id).id
    found = thread_of(connection, run_id)
    if found is None:
        msg = f"The run {run_id!r} belongs to no thread."
        raise NotFoundError(msg, code="no-thread", hint="Pins belong to threads: create runs with --thread.")
    if thread_id not in {"", found}:
        msg = f"Run {run_id} does not belong to thread {thread_id}."
        raise UsageError(msg, code="wrong-thread", hint="Name the run alone; its thread is found by itself.")
    return found


def _require(connection: Connection, proposal_id: str) -> Proposal:
    found = repository.find_proposal(connection, proposal_id)
    if found is None:
        msg = f"There is no proposal {proposal_id!r}."
        raise NotFoundError(msg, code="no-proposal", hint="`waybook pins proposals THREAD` shows them.")
    return found


def _repeated(connection: Connection, proposal: Proposal, choice: Choice, reply: str, *, pin_reply: bool) -> Answered:
    """The answer given before, when this is the same one; else a conflict."""
    answer = proposal.answer
    if (
        answer is None
        or (answer.choice, answer.reply) != (choice, reply)
        or pin_reply != (choice is Choice.CUSTOM and answer.pin_id is not None)
    ):
        msg = f"The proposal {proposal.id} was answered before: {answer.choice if answer else 'never'}."
        raise ConflictError(msg, code="already-answered", hint="An answer stands. Pins are edited and removed as such.")
    pin: Pin | None = repository.find_pin(connection, answer.pin_id) if answer.pin_id else None
    return Answered(proposal, pin, repeated=True)
