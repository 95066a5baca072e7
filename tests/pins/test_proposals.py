"""Agents propose, a person answers, and the ledger of both never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pins.test_pins import TOKEN, VERBATIM
from sessions.world import AGENT, OPERATOR
from waybook.base.actor import Actor
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.pins.model import MAX_OPEN_PROPOSALS, MAX_PINS, Choice
from waybook.pins.rules import parse_choice

if TYPE_CHECKING:
    from sessions.world import World


@pytest.mark.parametrize("text", VERBATIM)
def test_keeping_pins_exactly_the_proposed_text(world: World, text: str) -> None:
    """Byte for byte; the pin names its proposal, and the person who kept it."""
    thread = world.thread()
    proposal = world.proposals.propose(text, AGENT, thread_id=thread)
    assert (proposal.text, proposal.status, proposal.proposed_by) == (text, "open", "codex")
    assert world.pins.required_pins(thread) == ()
    answered = world.proposals.answer(proposal.id, Choice.KEEP, OPERATOR)
    (pin,) = world.pins.required_pins(thread)
    assert pin.text.encode() == text.encode()
    assert (pin.origin, pin.proposal_id, pin.created_by) == ("proposal", proposal.id, "ada")
    assert answered.pin == pin
    assert answered.proposal.answer is not None
    assert (answered.proposal.status, answered.proposal.answer.pin_id) == ("answered", pin.id)


def test_only_now_pins_nothing(world: World) -> None:
    """A plain answer that the agent can read."""
    thread = world.thread()
    proposal = world.proposals.propose("Answer in German", AGENT, thread_id=thread)
    answered = world.proposals.answer(proposal.id, Choice.ONLY_NOW, OPERATOR)
    assert answered.pin is None
    assert world.pins.required_pins(thread) == ()
    answer = world.proposals.show(proposal.id).answer
    assert answer is not None
    assert (answer.choice, answer.reply, answer.pin_id) == (Choice.ONLY_NOW, "", None)


@pytest.mark.parametrize("pin_reply", [False, True])
def test_a_reply_is_pinned_only_when_asked(world: World, *, pin_reply: bool) -> None:
    """And then the reply, not the proposed text."""
    thread = world.thread()
    proposal = world.proposals.propose("Answer in German", AGENT, thread_id=thread)
    reply = " Only in docs/\r\n"
    answered = world.proposals.answer(proposal.id, Choice.CUSTOM, OPERATOR, reply=reply, pin_reply=pin_reply)
    assert answered.proposal.answer is not None
    assert answered.proposal.answer.reply == reply
    assert [(pin.text, pin.origin) for pin in world.pins.required_pins(thread)] == [(reply, "reply")] * pin_reply


def test_the_same_proposal_is_made_once(world: World) -> None:
    """In one run of a thread, answered or not; another run or text is another proposal."""
    thread = world.thread()
    run, successor = world.run(thread).id, world.run(thread).id
    first = world.proposals.propose("same", AGENT, run_id=run)
    assert (first.thread_id, first.run_id, first.repeated) == (thread, run, False)
    world.proposals.answer(first.id, Choice.ONLY_NOW, OPERATOR)
    again = world.proposals.propose("same", AGENT, run_id=run, thread_id=thread)
    assert (again.id, again.repeated, again.status) == (first.id, True, "answered")
    others = {
        world.proposals.propose(text, AGENT, **where).id
        for text, where in [
            ("same", {"run_id": successor}),
            ("same", {"thread_id": thread}),
            ("same ", {"run_id": run}),
        ]
    }
    assert len(others | {first.id}) == 4


def test_the_same_answer_changes_nothing_and_another_is_a_conflict(world: World) -> None:
    """Also after the pin was removed: a repeat does not bring it back."""
    thread = world.thread()
    proposal = world.proposals.propose("keep me", AGENT, thread_id=thread)
    pin = world.proposals.answer(proposal.id, Choice.KEEP, OPERATOR).pin
    assert pin is not None
    again = world.proposals.answer(proposal.id, Choice.KEEP, OPERATOR)
    assert (again.repeated, again.pin) == (True, pin)
    world.pins.remove(pin.id, 1, OPERATOR)
    again = world.proposals.answer(proposal.id, Choice.KEEP, OPERATOR)
    assert (again.repeated, again.pin) == (True, None)
    assert world.pins.required_pins(thread) == ()
    custom = world.proposals.propose("other", AGENT, thread_id=thread)
    world.proposals.answer(custom.id, Choice.CUSTOM, OPERATOR, reply="no")
    for proposal_id, choice, more in [
        (proposal.id, Choice.ONLY_NOW, {}),
        (proposal.id, Choice.CUSTOM, {"reply": "keep me", "pin_reply": True}),
        (custom.id, Choice.CUSTOM, {"reply": "yes"}),
        (custom.id, Choice.CUSTOM, {"reply": "no", "pin_reply": True}),
        (custom.id, Choice.KEEP, {}),
    ]:
        with pytest.raises(ConflictError) as caught:
            world.proposals.answer(proposal_id, choice, OPERATOR, **more)
        assert caught.value.code == "already-answered"


def test_proposals_expire_with_their_thread(world: World) -> None:
    """Nobody accepted them, and nobody can any more; what was answered stays answered."""
    thread = world.thread()
    answered = world.proposals.propose("one", AGENT, thread_id=thread)
    world.proposals.answer(answered.id, Choice.ONLY_NOW, OPERATOR)
    waiting = world.proposals.propose("two", AGENT, thread_id=thread)
    world.threads.close(thread, 1, OPERATOR)
    assert world.proposals.show(waiting.id).status == "expired"
    with pytest.raises(ConflictError) as caught:
        world.proposals.answer(waiting.id, Choice.KEEP, OPERATOR)
    assert caught.value.code == "proposal-expired"
    assert world.pins.required_pins(thread) == ()
    assert world.proposals.answer(answered.id, Choice.ONLY_NOW, OPERATOR).repeated
    with pytest.raises(ConflictError):
        world.proposals.propose("three", AGENT, thread_id=thread)
    assert world.proposals.list(thread) == ()
    assert [item.status for item in world.proposals.list(thread, closed=True)] == ["expired", "answered"]


def test_full_pins_leave_the_proposal_open(world: World) -> None:
    """Keeping is refused with the limit; after making room the same answer works."""
    thread = world.thread()
    pins = [world.pins.add(thread, f"pin {number}", OPERATOR).pin for number in range(MAX_PINS)]
    proposal = world.proposals.propose("one more", AGENT, thread_id=thread)
    with pytest.raises(RefusedError):
        world.proposals.answer(proposal.id, Choice.KEEP, OPERATOR)
    assert world.proposals.show(proposal.id).status == "open"
    world.pins.remove(pins[0].id, 1, OPERATOR)
    assert world.proposals.answer(proposal.id, Choice.KEEP, OPERATOR).pin is not None


def test_an_agent_cannot_flood(world: World) -> None:
    """32 proposals without an answer; an answer makes room."""
    thread = world.thread()
    made = [world.proposals.propose(str(number), AGENT, thread_id=thread) for number in range(MAX_OPEN_PROPOSALS)]
    with pytest.raises(RefusedError) as caught:
        world.proposals.propose("more", AGENT, thread_id=thread)
    assert (caught.value.code, caught.value.limit) == ("too-many-proposals", 32)
    assert world.proposals.propose("0", AGENT, thread_id=thread).repeated
    world.proposals.answer(made[0].id, Choice.ONLY_NOW, OPERATOR)
    assert world.proposals.propose("more", AGENT, thread_id=thread).status == "open"
    assert len(world.proposals.list(thread)) == 32


def test_only_a_person_answers(world: World) -> None:
    """Whatever an agent calls itself; and an agent has to have a name."""
    thread = world.thread()
    proposal = world.proposals.propose("x", AGENT, thread_id=thread)
    for actor in (AGENT, Actor("agent", "ada"), Actor("operator", "Assistant"), Actor("operator", "auto")):
        with pytest.raises(RefusedError):
            world.proposals.answer(proposal.id, Choice.KEEP, actor)
    with pytest.raises(RefusedError):
        world.proposals.propose("y", Actor("agent", ""), thread_id=thread)
    assert world.proposals.show(proposal.id).status == "open"


def test_what_is_refused(world: World) -> None:
    """Texts that no pin could hold, replies that do not fit the choice, and what is not there."""
    thread = world.thread()
    run = world.run().id
    for error, act in [
        (UsageError, lambda: world.proposals.propose(" ", AGENT, thread_id=thread)),
        (UsageError, lambda: world.proposals.propose("a\0", AGENT, thread_id=thread)),
        (RefusedError, lambda: world.proposals.propose("x" * 8193, AGENT, thread_id=thread)),
        (RefusedError, lambda: world.proposals.propose(f"use {TOKEN}", AGENT, thread_id=thread)),
        (NotFoundError, lambda: world.proposals.propose("x", AGENT, thread_id="thr_x")),
        (NotFoundError, lambda: world.proposals.propose("x", AGENT)),
        (NotFoundError, lambda: world.proposals.propose("x", AGENT, run_id=run)),
        (
            UsageError,
            lambda: world.proposals.propose("x", AGENT, thread_id=thread, run_id=world.run(world.thread()).id),
        ),
    ]:
        with pytest.raises(error) as caught:
            act()
        assert TOKEN not in str(caught.value.to_json())
    assert world.scalar("SELECT count(*) FROM pin_proposals") == 0
    proposal = world.proposals.propose("x", AGENT, thread_id=thread).id
    for error, choice, more in [
        (UsageError, Choice.KEEP, {"reply": "x"}),
        (UsageError, Choice.ONLY_NOW, {"pin_reply": True}),
        (UsageError, Choice.CUSTOM, {"reply": " "}),
        (RefusedError, Choice.CUSTOM, {"reply": "x" * 8193}),
        (RefusedError, Choice.CUSTOM, {"reply": TOKEN}),
    ]:
        with pytest.raises(error):
            world.proposals.answer(proposal, choice, OPERATOR, **more)
    with pytest.raises(NotFoundError):
        world.proposals.answer("prp_x", Choice.KEEP, OPERATOR)
    assert world.proposals.show(proposal).status == "open"


def test_choices_by_name() -> None:
    """With either dash; others say what there is."""
    assert parse_choice("only-now") is Choice.ONLY_NOW
    with pytest.raises(UsageError):
        parse_choice("yes")
