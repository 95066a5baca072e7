"""Traces, goals and audits as they are kept: append-only, restored exactly, one record for each call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from context.traces import grow
from sessions.world import AGENT, OPERATOR
from waybook.base.errors import ConflictError, NotFoundError, UsageError
from waybook.context.assemble import Offer, assemble
from waybook.context.audit import Subject
from waybook.context.limits import Policy
from waybook.context.model import Injected, Message, ToolCall
from waybook.context.service import MAX_DEPTH
from waybook.context.sizes import Sizes
from waybook.context.summary import summary_message

if TYPE_CHECKING:
    from support.context_desk import Desk


def said(content: str, role: str = "user", **fields: object) -> Message:
    return Message(0, 0, "", role, content, **fields)  # type: ignore[arg-type]


def test_a_trace_is_read_as_it_was_written(desk: Desk) -> None:
    """Every message with all its marks, the head, and where skills were given."""
    record = desk.contexts.open_root(AGENT, capabilities=("goal", "skill"))
    trace = desk.contexts.load(record.id)
    call = ToolCall("c1", "goal", '{"add":"x"}', synthetic=True)
    desk.contexts.append(trace, (said("s", "system"), said("do")))
    desk.contexts.append(
        trace,
        (said("", "assistant", calls=(call,), reasoning="why", goal_id="1"), said("ok", "tool", call_id="c1")),
    )
    desk.contexts.append(
        trace, (said("side", "assistant", branch_type="reflection", branch_id="b1"),), parent_sequence=trace.head
    )
    desk.contexts.note_skill(trace, "ask", Injected("m", 4))
    again = desk.contexts.load(record.id)
    assert again.messages == trace.messages
    assert again.path() == trace.path()
    assert (again.head, again.skills) == (4, {"ask": Injected("m", 4)})
    assert [one.id.startswith("msg_") for one in again.messages] == [True] * 5
    assert desk.contexts.record(record.id).capabilities == ("goal", "skill")


def test_a_generated_trace_survives_the_store(desk: Desk) -> None:
    """Summaries, returns and side branches included, with any text."""
    grown = grow(3, 300)
    record = desk.contexts.open_root(AGENT)
    trace = desk.contexts.load(record.id)
    for message in grown.trace.messages:
        desk.contexts.append(trace, (message,), parent_sequence=message.parent_sequence)
    desk.contexts.rewind(trace, grown.trace.head, AGENT)
    assert desk.contexts.load(record.id).messages == tuple(message for message in trace.messages)
    assert [one.content for one in desk.contexts.load(record.id).path()] == [one.content for one in grown.trace.path()]


def test_going_back_restores_path_goals_and_skills(desk: Desk) -> None:
    """What came after the cut is off the path, and all of it is still kept."""
    record = desk.contexts.open_root(AGENT)
    trace = desk.contexts.load(record.id)
    desk.contexts.append(trace, (said("s", "system"), said("do"), said("a", "assistant")))
    desk.contexts.change_goals(record.id, "add", AGENT, text="one", sequence=3)
    before, goals = trace.path(), desk.contexts.goals(record.id).tree
    desk.contexts.append(trace, (summary_message(trace, "sum", "", ""),), parent_sequence=2)
    desk.contexts.append(trace, (said("b", "assistant"),))
    desk.contexts.change_goals(record.id, "done", AGENT, goal_id="1", text="ok", sequence=5)
    desk.contexts.note_skill(trace, "ask", Injected("m", 5))
    assert [one.content for one in trace.path()] == ["s", "do", "sum", "b"]
    desk.contexts.rewind(trace, 3, AGENT)
    assert trace.path() == before
    assert trace.skills == {}
    loaded = desk.contexts.load(record.id)
    assert (loaded.path(), loaded.skills, loaded.last) == (before, {}, 5)
    assert desk.contexts.goals(record.id).tree == goals


def test_nothing_kept_is_ever_changed(desk: Desk) -> None:
    """The database itself refuses."""
    record = desk.contexts.open_root(AGENT)
    trace = desk.contexts.load(record.id)
    desk.contexts.append(trace, (said("do"),))
    desk.contexts.change_goals(record.id, "add", AGENT, text="x")
    desk.contexts.account(assemble(Offer(trace.path()), Policy(), Sizes()), Subject(record.id))
    for statement in (
        "UPDATE context_messages SET content = 'x'",
        "DELETE FROM context_messages",
        "UPDATE goal_events SET text = 'x'",
        "DELETE FROM goal_events",
        "UPDATE context_audits SET total_tokens = 0",
        "DELETE FROM context_audits",
        "DELETE FROM context_traces",
        "UPDATE context_traces SET capabilities = '[\"all\"]'",
        "UPDATE context_traces SET head = 7",
        "INSERT OR REPLACE INTO context_messages SELECT * FROM context_messages",
        "INSERT INTO goal_events SELECT owner, 5, action, goal_id, text, sequence, recorded_by, created_at FROM goal_events",
    ):
        with pytest.raises(IntegrityError), desk.store.write() as connection:
            connection.exec_driver_sql(statement)


def test_two_writers_of_one_trace_do_not_overwrite_each_other(desk: Desk) -> None:
    """The second is refused and its copy stays as it was."""
    record = desk.contexts.open_root(AGENT)
    first, second = desk.contexts.load(record.id), desk.contexts.load(record.id)
    desk.contexts.append(first, (said("a"),))
    with pytest.raises(ConflictError):
        desk.contexts.append(second, (said("b"),))
    assert second.messages == ()
    assert [one.content for one in desk.contexts.load(record.id).messages] == ["a"]


def test_lineage_and_capabilities_only_narrow(desk: Desk) -> None:
    """A child takes run and thread; of capabilities what its parent has; depth is bounded."""
    thread = desk.thread()
    run = desk.run(thread)
    parent = desk.contexts.open_root(AGENT, run_id=run.id, capabilities=("goal", "agent"))
    assert parent.thread_id == thread
    assert desk.contexts.newest_trace(thread_id=thread) == parent
    with desk.store.write() as connection:
        child = desk.contexts.open_in(connection, AGENT, parent, capabilities=("goal", "bash"))
    assert (child.root_id, child.parent_id, child.run_id, child.thread_id) == (parent.id, parent.id, run.id, thread)
    assert child.capabilities == ("goal",)
    with desk.store.write() as connection:
        while child.depth < MAX_DEPTH:
            child = desk.contexts.open_in(connection, AGENT, child)
        with pytest.raises(UsageError):
            desk.contexts.open_in(connection, AGENT, child)


def test_goals_of_threads_runs_and_traces(desk: Desk) -> None:
    """Each has a tree of its own; an unknown owner has none."""
    thread = desk.thread()
    run = desk.run(thread)
    record = desk.contexts.open_root(AGENT)
    for owner in (thread, run.id, record.id):
        assert desk.contexts.change_goals(owner, "add", OPERATOR, text=owner).tree.goals["1"].title == owner
    assert desk.contexts.goals(thread).version == 1
    for owner in ("thr_x", "run_x", "trc_x", "x"):
        with pytest.raises(NotFoundError):
            desk.contexts.goals(owner)
    with pytest.raises(ConflictError):
        desk.contexts.change_goals(thread, "add", OPERATOR, text="y", under="1") and desk.contexts.change_goals(
            thread, "done", OPERATOR, goal_id="1", text="z"
        )


def test_audits_count_calls_and_come_newest_first(desk: Desk) -> None:
    """By trace, run or thread; ids, versions, digests and tokens, no words."""
    thread = desk.thread()
    run = desk.run(thread)
    record = desk.contexts.open_root(AGENT, run_id=run.id)
    trace = desk.contexts.load(record.id)
    desk.contexts.append(trace, (said("very private words"),))
    subject = Subject(record.id, run.id, thread)
    made = assemble(Offer(trace.path()), Policy(), Sizes(), model="m")
    first, second = desk.contexts.account(made, subject), desk.contexts.account(made, subject)
    assert (first.call, second.call) == (1, 2)
    for name in (Subject(record.id), Subject(run_id=run.id), Subject(thread_id=thread)):
        assert desk.contexts.audits(name) == (second, first)
    assert desk.contexts.audits(Subject(record.id), call=1) == (first,)
    assert first.total_tokens == sum(section.tokens for section in first.included)
    assert desk.scalar("SELECT count(*) FROM context_audits WHERE sections LIKE '%private words%very%'") == 0
