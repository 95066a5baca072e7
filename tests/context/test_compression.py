"""Both levels of compression over generated traces: pairs stay pairs, nothing stored changes, going back restores."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context.traces import grow
from waybook.base.errors import NotFoundError, RefusedError, UsageError
from waybook.context.compress import NOTICE, clear_goals, closed_on
from waybook.context.goals import GoalEvent, advance, fold, view
from waybook.context.limits import Policy
from waybook.context.model import Message, ToolCall
from waybook.context.shape import shape
from waybook.context.sizes import Sizes
from waybook.context.summary import due, queue, recent_requests, summary_message, summary_text
from waybook.context.trace import Trace, first_request, paired, waiting

SEEDS = st.integers(min_value=0, max_value=2**32)
LONG = [(seed, 4000) for seed in range(4)]


def size(message: Message) -> int:
    return len(message.content) + 4


def check_level_1(seed: int, messages: int, *, calm: bool = False) -> None:
    grown = grow(seed, messages, calm=calm)
    path = grown.trace.path()
    before = [replace(message) for message in path]
    stored = grown.trace.messages
    done = clear_goals(path, closed_on(grown.tree), size)
    assert paired(done.messages)
    assert list(path) == before
    assert grown.trace.messages == stored
    assert (done.before, done.after) == (sum(map(size, path)), sum(map(size, done.messages)))
    kept = {message.sequence for message in done.messages}
    for message in path:
        if message.role in {"user", "system"}:
            assert message in done.messages
        if any(call.name == "goal" for call in message.calls):
            assert message.sequence in kept
        if message.role == "assistant" and message.goal_id in closed_on(grown.tree):
            calls_goal = any(call.name == "goal" for call in message.calls)
            assert (message.sequence in kept) == calls_goal
        if message.role == "assistant" and message.goal_id not in closed_on(grown.tree):
            assert message in done.messages
    assert [one.sequence for one in done.messages] == sorted(kept, key=[one.sequence for one in path].index)
    again = clear_goals(done.messages, closed_on(grown.tree), size)
    assert again.messages == done.messages


@settings(deadline=None, max_examples=60)
@given(SEEDS, st.integers(min_value=5, max_value=250))
def test_level_1_keeps_pairs_and_goal_calls_and_touches_nothing(seed: int, messages: int) -> None:
    """Only what finished goals did is gone, in the copy alone; twice is once."""
    check_level_1(seed, messages)


@pytest.mark.parametrize(("seed", "messages"), LONG)
def test_level_1_on_thousands_of_messages(seed: int, messages: int) -> None:
    """The same holds for long traces, and for one long path."""
    check_level_1(seed, messages)
    check_level_1(seed, messages, calm=True)


@settings(deadline=None, max_examples=40)
@given(SEEDS, st.integers(min_value=20, max_value=250), st.integers(min_value=0, max_value=3000))
def test_on_overflow_stops_as_soon_as_it_fits(seed: int, messages: int, until: int) -> None:
    """Goal after goal, oldest first: with one goal fewer it would not have fitted."""
    grown = grow(seed, messages)
    path = grown.trace.path()
    done = clear_goals(path, closed_on(grown.tree), size, until=until)
    assert paired(done.messages)
    if done.goals:
        assert clear_goals(path, done.goals[:-1], size).after > until
    elif done.before > until:
        assert clear_goals(path, closed_on(grown.tree), size).after == done.before


def simple() -> tuple[Trace, list[GoalEvent]]:
    trace = Trace("t")
    focus = ToolCall("c1", "goal", json.dumps({"focus": "1"}))
    read, done = ToolCall("c2", "read_file", "{}"), ToolCall("c3", "goal", json.dumps({"done": "1", "summary": "ok"}))
    for message in (
        Message(0, 0, "m1", "system", "s"),
        Message(0, 0, "m2", "user", "do"),
        Message(0, 0, "m3", "assistant", "", calls=(focus,), goal_id="1"),
        Message(0, 0, "m4", "tool", "focused", call_id="c1", goal_id="1"),
        Message(0, 0, "m5", "assistant", "reading", calls=(read, done), goal_id="1"),
        Message(0, 0, "m6", "tool", "file text", call_id="c2", goal_id="1"),
        Message(0, 0, "m7", "tool", "done", call_id="c3"),
        Message(0, 0, "m8", "assistant", "next"),
    ):
        trace.append(message)
    return trace, [GoalEvent("add", "1", "read"), GoalEvent("focus", "1"), GoalEvent("done", "1", "ok")]


def test_the_finishing_result_becomes_the_notice() -> None:
    """The document's own example."""
    trace, events = simple()
    done = clear_goals(trace.path(), closed_on(fold(events)), size)
    assert [(one.id, one.content) for one in done.messages] == [
        ("m1", "s"),
        ("m2", "do"),
        ("m3", ""),
        ("m4", "focused"),
        ("m5", "reading"),
        ("m7", NOTICE),
        ("m8", "next"),
    ]
    assert [call.id for call in done.messages[4].calls] == ["c3"]


def test_policies_of_level_1() -> None:
    """none leaves all; on_complete clears at once; on_overflow only past the threshold; native reasoning is never cut."""
    trace, events = simple()
    tree = fold(events)
    path = trace.path()
    sizes = Sizes()
    roomy = Policy(window=100_000)
    tight = Policy(window=300, threshold=0.01)
    assert shape(path, tree, replace(tight, goal_compression="none"), sizes).messages == path
    assert shape(path, tree, replace(roomy, goal_compression="on_complete"), sizes).goals == ("1",)
    assert shape(path, tree, roomy, sizes).goals == ()
    assert shape(path, tree, tight, sizes).goals == ("1",)
    assert shape(path, tree, replace(tight, native_reasoning=True), sizes).messages == path
    assert not due(10**9, replace(tight, native_reasoning=True))
    assert due(10**9, tight)


def check_level_2(seed: int, messages: int) -> None:
    grown = grow(seed, messages)
    trace = grown.trace
    heads = dict(grown.settled)
    before = trace.path()
    old = trace.messages
    trace.add(summary_message(trace, summary_text("done so far", grown.tree), "sum", ""))
    path = trace.path()
    first = first_request(before)
    assert first is not None
    assert [one.role for one in path] == ["system", "user", "user"]
    assert path[1] == first
    assert path[2].kind == "summary"
    assert view(grown.tree, summaries=True) in path[2].content
    assert trace.messages[: len(old)] == old
    for at, was in heads.items():
        if at in {message.sequence for message in old}:
            trace.rewind(at)
            assert trace.path() == was
            assert paired(trace.path())


@settings(deadline=None, max_examples=40)
@given(SEEDS, st.integers(min_value=10, max_value=250))
def test_a_summary_jumps_over_and_going_back_restores_exactly(seed: int, messages: int) -> None:
    """Every earlier head gives the very path it gave then."""
    check_level_2(seed, messages)


@pytest.mark.parametrize(("seed", "messages"), LONG)
def test_going_back_in_thousands_of_messages(seed: int, messages: int) -> None:
    """The same holds for long traces, which hold summaries and returns of their own."""
    check_level_2(seed, messages)


def test_the_generator_makes_what_is_to_be_tested() -> None:
    """Long traces hold summaries, returns, side branches and closed goals; else the tests above say nothing."""
    for seed, messages in LONG:
        grown = grow(seed, messages)
        assert grown.summaries > 3
        assert grown.returns > 3
        assert any(message.branch_type for message in grown.trace.messages)
        assert any(len(closed_on(fold(grown.events[:at]))) > 5 for at in range(0, len(grown.events), 20))


@settings(deadline=None, max_examples=30)
@given(SEEDS, st.integers(min_value=10, max_value=200))
def test_side_branches_are_never_on_the_main_path(seed: int, messages: int) -> None:
    """Their marks filter them; a branch itself sees the main path up to where it left, and its own messages."""
    grown = grow(seed, messages)
    assert not any(message.branch_type for message in grown.trace.path())
    for message in grown.trace.messages:
        if message.branch_type and message.role == "tool":
            view_of = grown.trace.path(message.sequence)
            assert view_of[-1] == message
            assert {one.branch_id for one in view_of} <= {"", message.branch_id}


def test_what_cannot_be_gone_back_to() -> None:
    """A side branch, the middle of a call, a message that is not there; then nothing moves."""
    trace, _ = simple()
    trace.append(Message(0, 0, "x", "assistant", "side", branch_type="reflection", branch_id="b"))
    for sequence, code in ((9, "side-branch"), (5, "unanswered-calls"), (6, "unanswered-calls"), (99, "no-message")):
        with pytest.raises((UsageError, NotFoundError)) as caught:
            trace.rewind(sequence)
        assert caught.value.code == code
    assert trace.head == 8


def test_no_summary_in_the_middle_of_a_call() -> None:
    """A call without its result cannot be stood for."""
    trace, _ = simple()
    trace.append(Message(0, 0, "x", "assistant", "", calls=(ToolCall("c9", "bash", "{}"),)))
    with pytest.raises(RefusedError) as caught:
        summary_message(trace, "s", "id", "")
    assert caught.value.code == "unanswered-calls"
    assert waiting(trace.path()) == ("c9",)


def test_the_queue_of_side_branches() -> None:
    """Reflection and evaluation are optional and come first; compression is always last."""
    assert queue(Policy()) == ("compression",)
    assert queue(Policy(reflect=True)) == ("reflection", "compression")
    assert queue(Policy(evaluate=True)) == ("knowledge_eval", "compression")
    assert queue(Policy(reflect=True, evaluate=True)) == ("reflection", "knowledge_eval", "compression")


def test_recent_requests_stay_word_for_word_while_they_fit() -> None:
    """Newest first, whole each; the newest must fit, and the first request stands by itself."""
    path = [Message(0, 0, f"u{number}", "user", "x" * number * 10) for number in range(1, 5)]
    assert recent_requests(path, size, 1000) == tuple(path[1:])
    assert recent_requests(path, size, 77) == (path[3],)
    assert recent_requests(path, size, 44 + 34) == tuple(path[2:])
    with pytest.raises(RefusedError) as caught:
        recent_requests(path, size, 43)
    assert caught.value.code == "request-too-large"
    assert "x" * 40 in summary_text("s", fold(()), path[3:])


def test_goals_go_back_with_the_trace() -> None:
    """A return takes away what was done after the cut."""
    events = [GoalEvent("add", "1", "a", 3), GoalEvent("add", "2", "b", 7), GoalEvent("focus", "1", sequence=9)]
    back = fold([*events, GoalEvent("rewind", "", sequence=7)])
    assert list(back.goals) == ["1", "2"]
    assert back.focus == ""
    assert list(fold([*events, GoalEvent("rewind", "", sequence=3)]).goals) == ["1"]
    again = fold([*events, GoalEvent("rewind", "", sequence=3), GoalEvent("add", "2", "c", 4)])
    assert again.goals["2"].title == "c"
    assert advance(back, GoalEvent("focus", "2")).focus == "2"
