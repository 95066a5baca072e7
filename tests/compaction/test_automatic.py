"""When a conversation is due, and that nothing is trimmed in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.helpers import marked, service
from sessions.world import AGENT, RunState
from support.talks import move, thread_with_talk
from waybook.base.cancel import Progress
from waybook.compaction.automatic import MESSAGES, due, ensure
from waybook.compaction.extractive import Extractive
from waybook.compaction.model import Subject
from waybook.compaction.service import Order

if TYPE_CHECKING:
    from sessions.world import World


def test_due_by_share_or_by_number(world: World) -> None:
    """Over eight tenths of the window, or over 200 messages behind no summary."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(10)
    subject = Subject(thread_id=thread)
    assert due(world.store, subject, tokens=800, window=1000).verdict == "no"
    assert due(world.store, subject, tokens=801, window=1000).verdict == "window"
    with world.store.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO messages (session_seq, key, parent, role, kind, text, call_id, at, side, hidden, inherited) "
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= {MESSAGES}) "
            "SELECT 1, 'x' || i, '', 'assistant', 'answer', 'text', '', '', 0, 0, 0 FROM n"
        )
    assert due(world.store, subject, tokens=1, window=1000).verdict == "messages"


def test_native_reasoning_is_never_trimmed(world: World) -> None:
    """A model that needs it is not stopped by a number of messages; what does not fit is reported."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(10)
    subject = Subject(thread_id=thread)
    assert due(world.store, subject, tokens=999, window=1000, needs_reasoning=True).verdict == "no"
    assert due(world.store, subject, tokens=1001, window=1000, needs_reasoning=True).verdict == "window_exceeded"


def test_four_messages_that_do_not_fit_are_reported(world: World) -> None:
    """They always stay, so there is nothing to compact."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(2)
    assert due(world.store, Subject(thread_id=thread), tokens=2000, window=1000).verdict == "window_exceeded"


def test_the_summary_is_saved_before_the_run_goes_on(world: World) -> None:
    """A run compacts its own thread while it is running."""
    thread, run, talk = thread_with_talk(world, ended=False)
    talk.turns(6)
    move(world, run, RunState.RUNNING)
    order = Order(Subject(thread_id=thread), "auto-1")
    done = ensure(service(world), order, Extractive(), AGENT, Progress(), run_id=run)
    assert done.state == "done"
    assert len(marked(world)) == 8
