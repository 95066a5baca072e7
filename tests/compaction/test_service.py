"""Compacting: when, what is kept, at once or not at all, and what a repeat answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from compaction.helpers import Scripted, compact, marked, operations, service, words
from sessions.world import AGENT, OPERATOR, RunState, World
from support.talks import Talk, all_messages, move, thread_with_talk
from waybook.base.actor import Actor
from waybook.base.cancel import Progress
from waybook.base.errors import (
    CancelledError,
    ConflictError,
    NotFoundError,
    RefusedError,
    UnavailableError,
    UsageError,
)
from waybook.compaction.extractive import Extractive
from waybook.compaction.model import MAX_SUMMARY_BYTES, Subject
from waybook.compaction.service import Order
from waybook.compaction.summariser import OutcomeUnknownError, Request

if TYPE_CHECKING:
    from collections.abc import Callable


def test_the_last_four_messages_and_the_whole_history_stay(world: World) -> None:
    """Everything before the fourth message from the end is marked; no message row changes."""
    thread, _, talk = thread_with_talk(world)
    seqs = talk.turns(5)
    before = all_messages(world)
    done = compact(world, thread)
    assert (done.state, done.folded, done.kept, done.unread, done.fallback) == ("done", 6, 4, 0, "")
    assert marked(world) == seqs[:6]
    assert all_messages(world) == before
    surface = service(world).surface(Subject(thread_id=thread))
    assert surface is not None
    assert surface.open_messages == tuple(seqs[6:])
    assert surface.compaction == done


def test_calls_and_thoughts_go_with_the_messages_around_them(world: World) -> None:
    """Only prompts, answers and summaries count to four; thoughts before the first kept one stay with it."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(2)
    talk.call("shell", "old output")
    thought = talk.say("let me think", "reasoning")
    talk.say("fourth from the end", "answer")
    talk.call("shell", "new output")
    talk.turns(1)
    talk.say("bye", "answer")
    done = compact(world, thread)
    assert done.kept == 4
    assert max(marked(world)) == thought - 1


def test_every_run_of_a_thread_is_one_conversation_without_its_sub_agents(world: World) -> None:
    """Runs follow one another; side chains, sub-agents and what the person went back behind are no part of it."""
    thread, _, first = thread_with_talk(world)
    seqs = first.turns(2)
    first.say("taken back", hidden=1)
    first.say("aside", side=1)
    run = world.run(thread=thread)
    world.complete(run.id)
    Talk(world, run.id, "child", parent="s1").turns(6)
    second = Talk(world, run.id, "s2")
    more = second.turns(2)
    assert compact(world, thread).folded == 4
    assert marked(world) == seqs
    assert service(world).surface(Subject(thread_id=thread)).open_messages == tuple(more)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("states", "code"),
    [
        ((RunState.RUNNING,), "run-active"),
        ((RunState.RUNNING, RunState.WAITING_INPUT), "input-pending"),
    ],
)
def test_not_while_a_run_is_active_or_waits(world: World, states: tuple[RunState, ...], code: str) -> None:
    """Nothing is asked and nothing written while the thread is at work or waits for input."""
    thread, run, talk = thread_with_talk(world, ended=False)
    talk.turns(5)
    move(world, run, *states)
    model = Scripted()
    with pytest.raises(ConflictError) as caught:
        compact(world, thread, model)
    assert caught.value.code == code
    assert (model.asked, operations(world), marked(world)) == ([], [], [])


def test_an_unanswered_prompt_is_pending_until_its_run_has_ended(world: World) -> None:
    """A paused run's open question blocks; after the run failed nobody will answer it any more."""
    thread, run, talk = thread_with_talk(world, ended=False)
    talk.turns(5)
    talk.say("and now?")
    move(world, run, RunState.RUNNING, RunState.PAUSED)
    with pytest.raises(ConflictError) as caught:
        compact(world, thread)
    assert caught.value.code == "input-pending"
    move(world, run, RunState.FAILED)
    assert compact(world, thread).state == "done"


def test_a_run_may_compact_its_own_thread_before_it_goes_on(world: World) -> None:
    """What calls from within a run is not blocked by that run, only by others."""
    thread, run, talk = thread_with_talk(world, ended=False)
    talk.turns(5)
    move(world, run, RunState.RUNNING)
    assert compact(world, thread, within_run=run).state == "done"


def test_short_conversations_have_nothing_to_compact(world: World) -> None:
    """Four messages always stay; the thread is as it was."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(2)
    with pytest.raises(ConflictError) as caught:
        compact(world, thread)
    assert caught.value.code == "nothing-to-compact"
    assert operations(world) == []


def test_user_messages_stay_in_full_newest_first_within_the_budget(world: World) -> None:
    """The newest that fit; the first that does not fit ends it, also where an older one would."""
    thread, _, talk = thread_with_talk(world)
    seqs = [talk.say(text) for text in ("short one", "long " * 400, "middle size text", "the newest")]
    talk.turns(2)
    done = compact(world, thread, keep=120)
    assert done.verbatim == (seqs[2], seqs[3])
    surface = service(world).surface(Subject(thread_id=thread))
    assert [item.text for item in surface.verbatim] == ["middle size text", "the newest"]  # type: ignore[union-attr]
    assert compact(world, thread_with_long_tail(world), key="op2", window=100).verbatim == ()


def thread_with_long_tail(world: World) -> str:
    """What is kept anyway fills the window: nothing is left for more."""
    thread, _, talk = thread_with_talk(world, name="tail")
    talk.say("an early wish")
    for _ in range(4):
        talk.say("word " * 60, "answer")
    return thread


def test_over_the_window_only_the_input_shrinks_and_it_is_said(world: World) -> None:
    """The newest messages that fit are read; the result and the summary state how many were not."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(50, "x " * 100)
    model = Scripted(window=4096 + 600 + 2000)
    done = compact(world, thread, model)
    (request,) = model.asked
    assert 0 < len(request.items) < done.folded
    assert done.unread == done.folded - len(request.items) == request.unread
    assert request.items[-1].seq == marked(world)[-1]
    assert f"{done.unread} of {done.folded} earlier messages were not read" in done.summary
    assert len(marked(world)) == done.folded


def test_one_message_larger_than_the_window_is_read_in_part(world: World) -> None:
    """Its beginning and end are read rather than nothing, and that is said too."""
    thread, _, talk = thread_with_talk(world)
    talk.say(f"BEGIN {'word ' * 9000} END")
    talk.turns(2)
    model = Scripted(window=4096 + 600 + 400)
    done = compact(world, thread, model)
    (item,) = model.asked[0].items
    assert item.text.startswith("BEGIN")
    assert item.text.endswith("END")
    assert words(item.text) <= 400
    assert (done.unread, done.shortened) == (0, 1)
    assert "read in part" in done.summary


@pytest.mark.parametrize(
    ("answer", "why"), [("", "empty"), (" \n\t", "empty"), ("z" * (MAX_SUMMARY_BYTES + 1), "longer")]
)
def test_an_unfit_summary_falls_back_to_an_extract_and_says_so(world: World, answer: str, why: str) -> None:
    """Empty or too long: the built-in summariser reads everything instead; result and summary say why."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    done = compact(world, thread, Scripted(answer, window=10**6))
    assert done.state == "done"
    assert why in done.fallback
    assert done.fallback in done.summary
    assert "please do part 0" in done.summary
    assert len(done.summary.encode()) <= MAX_SUMMARY_BYTES


def test_a_repeat_gives_the_stored_result_and_asks_nobody(world: World) -> None:
    """Also after more was said; another request under the same key is a conflict."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    model = Scripted()
    first = compact(world, thread, model, focus="limits")
    talk.turns(5)
    again = compact(world, thread, model, focus="limits")
    assert again.repeated
    assert (again.id, again.summary, again.folded) == (first.id, first.summary, first.folded)
    assert len(model.asked) == 1
    with pytest.raises(ConflictError) as caught:
        compact(world, thread, model, focus="something else")
    assert caught.value.code == "key-reused"


def test_a_second_compaction_carries_the_first_on(world: World) -> None:
    """The summariser is given the summary so far; only what was open is marked."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    compact(world, thread, Scripted("First summary."))
    talk.turns(3, "later")
    model = Scripted("Second summary.")
    done = compact(world, thread, model, key="op2")
    assert model.asked[0].previous == "First summary."
    assert done.folded == 6
    assert len(marked(world)) == 12
    assert service(world).surface(Subject(thread_id=thread)).compaction.summary == "Second summary."  # type: ignore[union-attr]


def say_more(world: World, talk: Talk) -> None:
    talk.say("one more")


def change_old_text(world: World, talk: Talk) -> None:
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE messages SET text = 'other' WHERE seq = (SELECT MIN(seq) FROM messages)")


def start_a_run(world: World, talk: Talk) -> None:
    move(world, world.run(thread=world.threads.list()[0].id).id, RunState.RUNNING)


def compact_elsewhere(world: World, talk: Talk) -> None:
    compact(world, world.threads.list()[0].id, key="other")


@pytest.mark.parametrize("meanwhile", [say_more, change_old_text, start_a_run, compact_elsewhere])
def test_a_source_that_changed_meanwhile_is_not_overwritten(
    world: World, meanwhile: Callable[[World, Talk], None]
) -> None:
    """The operation has failed for good; no summary and no mark of it is there, and the thread can be compacted anew."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)

    def answer(_request: Request) -> str:
        meanwhile(world, talk)
        return "Too late."

    with pytest.raises(ConflictError):
        compact(world, thread, Scripted(answer))
    assert ("op1", "failed") in operations(world)
    marks = "SELECT COUNT(*) FROM compaction_marks JOIN compactions ON seq = compaction_seq WHERE operation_key = 'op1'"
    assert world.scalar(marks) == 0
    assert world.scalar("SELECT COUNT(*) FROM compactions WHERE summary LIKE '%Too late%'") == 0
    again = compact(world, thread, Scripted())
    assert (again.state, again.repeated) == ("failed", True)


def refuses(_request: Request) -> str:
    raise UnavailableError("The endpoint refused.", code="summariser-failed")


def breaks(_request: Request) -> str:
    raise ValueError("a bug")


@pytest.mark.parametrize(("answer", "error"), [(refuses, UnavailableError), (breaks, ValueError)])
def test_a_failure_overwrites_nothing_and_is_not_tried_again(
    world: World, answer: Callable[[Request], str], error: type[Exception]
) -> None:
    """The stored result of the key is the failure; a new key may try again."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    with pytest.raises(error):
        compact(world, thread, Scripted(answer))
    assert (operations(world), marked(world)) == ([("op1", "failed")], [])
    assert compact(world, thread, Scripted()).state == "failed"
    assert compact(world, thread, Scripted(), key="op2").state == "done"


def test_an_unknown_outcome_needs_a_check_and_is_never_resent(world: World) -> None:
    """The request may have been paid for: the same key asks nobody again, the thread goes on under another one."""

    def lost(_request: Request) -> str:
        raise OutcomeUnknownError("no answer came")

    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    first = compact(world, thread, Scripted(lost))
    assert (first.state, first.reason, marked(world)) == ("needs_check", "no answer came", [])
    model = Scripted()
    again = compact(world, thread, model)
    assert (again.state, again.repeated, model.asked) == ("needs_check", True, [])
    talk.say("the thread goes on")
    assert compact(world, thread, model, key="op2").state == "done"


def test_cancelling_while_a_summariser_works_needs_a_check(world: World) -> None:
    """What was on its way may have been worked on."""

    def cancelled(_request: Request) -> str:
        raise CancelledError("stopped")

    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    with pytest.raises(CancelledError):
        compact(world, thread, Scripted(cancelled))
    assert operations(world) == [("op1", "needs_check")]


def test_a_summariser_that_cannot_be_asked_leaves_no_operation(world: World) -> None:
    """Nothing was sent, so the same key may be used later."""

    class Missing(Scripted):
        def check(self) -> None:
            raise UnavailableError("no key", code="no-key")

    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    with pytest.raises(UnavailableError):
        compact(world, thread, Missing())
    assert operations(world) == []
    assert compact(world, thread).state == "done"


def test_sessions_without_a_thread_are_compacted_by_themselves(world: World) -> None:
    """An imported session is named by its ids; one of a thread's run is not torn out of it."""
    talk = Talk(world, "", "alone")
    talk.turns(5)
    subject = service(world).subject("alone")
    assert subject == Subject(session_id="ses_alone")
    assert compact(world, subject.session_id).session_id == "ses_alone"
    thread, _, _ = thread_with_talk(world, name="owned")
    with pytest.raises(UsageError) as caught:
        service(world).subject("ses_owned")
    assert thread in str(caught.value)
    with pytest.raises(NotFoundError):
        service(world).subject("nobody")
    with pytest.raises(NotFoundError):
        service(world).subject("thr_nobody")


@pytest.mark.parametrize("key", ["", "a b", "x" * 129, "tab\t"])
def test_bad_keys_are_refused(world: World, key: str) -> None:
    """Keys travel on command lines."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    with pytest.raises(UsageError):
        compact(world, thread, key=key)


def test_who_compacts_is_recorded_and_must_have_a_name(world: World) -> None:
    """An agent within its own run may; a nameless one may not."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    order = Order(Subject(thread_id=thread), "op1")
    with pytest.raises(RefusedError):
        service(world).compact(order, Extractive(), Actor("agent", ""), Progress())
    assert service(world).compact(order, Extractive(), AGENT, Progress()).created_by == AGENT.name
    assert OPERATOR.name


def test_an_operation_ends_once_and_a_message_is_marked_once(world: World) -> None:
    """The database itself refuses to change a summary, to reopen an operation and to move a mark."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    compact(world, thread)
    for statement in (
        "UPDATE compactions SET summary = 'other'",
        "UPDATE compactions SET state = 'needs_check', summary = '', finished_at = ''",
        "UPDATE compaction_marks SET message_seq = 10 WHERE message_seq = 1",
        "INSERT OR REPLACE INTO compaction_marks SELECT message_seq, compaction_seq FROM compaction_marks",
    ):
        with pytest.raises(IntegrityError), world.store.write() as connection:
            connection.exec_driver_sql(statement)
