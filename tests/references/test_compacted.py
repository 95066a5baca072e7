"""Sessions that Waybook compacted: the summary is the checkpoint, and what it stands for is not shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from compaction.helpers import Scripted, compact
from sessions.world import World
from store.helpers import keep, open_store
from support.talks import Talk, thread_with_talk
from waybook.base.cancel import Progress
from waybook.continuity.capture.gather import gather
from waybook.continuity.capture.repository import session_by
from waybook.references.mentions import format_mention
from waybook.references.prepare import prepare
from waybook.references.projection import project
from waybook.references.stored import StoredSessions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waybook.references.model import Unit


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """An empty store with the services above it."""
    store = open_store(str(tmp_path / "x.db"))
    yield World(store)
    store.close()


def units(world: World, session_id: str) -> tuple[Unit, ...]:
    return project(StoredSessions(world.store).read(session_id, Progress()).messages)


def shown(world: World, session_id: str) -> list[str]:
    """The texts another session would see."""
    return [unit.text for unit in units(world, session_id)]


def captured(world: World, session_id: str, run_id: str = "") -> list[str]:
    """What a checkpoint of the session captures, and a handoff tells: its summary, then its messages."""
    with world.store.read() as connection:
        summary, pieces = gather(connection, session_by(connection, id=session_id), run_id, keep)
    return [one.piece.text for one in (*([summary] if summary else []), *pieces)]


@pytest.mark.parametrize("imported", [True, False])
def test_only_the_summary_and_the_open_messages_are_shown(world: World, *, imported: bool) -> None:
    """Of an imported session and of a thread's run alike; a reference, a checkpoint and a handoff tell the same."""
    if imported:
        subject, run_id, talk = "ses_alone", "", Talk(world, name="alone")
    else:
        subject, run_id, talk = thread_with_talk(world)
    talk.turns(5)
    before = shown(world, talk.id)
    assert len(before) == 10
    compact(world, subject, Scripted("Three parts are done."))
    after = shown(world, talk.id)
    assert after == ["Three parts are done.", *before[6:]]
    assert [unit.checkpoint for unit in units(world, talk.id)] == [True, False, False, False, False]
    assert captured(world, talk.id, run_id) == after
    record = StoredSessions(world.store).find(talk.id)
    assert record is not None
    assert record.size == sum(len(text.encode()) for text in after)
    reference = prepare(format_mention(talk.id), "me", StoredSessions(world.store))
    assert reference.references[0].compacted
    assert before[0] not in reference.text


def test_the_newest_of_several_compactions_is_the_checkpoint(world: World) -> None:
    """What the first one folded stays out of sight."""
    talk = Talk(world, name="alone")
    talk.turns(4)
    compact(world, talk.id, Scripted("First."))
    talk.turns(2, "later")
    compact(world, talk.id, Scripted("Second."), key="op2")
    assert shown(world, talk.id)[0] == "Second."
    assert len(shown(world, talk.id)) == 5
    assert all(text.startswith("later") for text in shown(world, talk.id)[1:])


def test_an_agent_s_summary_gives_way_and_a_later_one_of_it_takes_over(world: World) -> None:
    """There is one checkpoint: the one that stands for the most of the session."""
    talk = Talk(world, name="alone")
    talk.turns(1)
    talk.say("The agent's summary.", "summary")
    talk.turns(4)
    compact(world, talk.id, Scripted("Waybook's summary."))
    assert shown(world, talk.id)[0] == "Waybook's summary."
    assert len(shown(world, talk.id)) == 5
    talk.say("The agent's later summary.", "summary")
    talk.say("go on")
    assert shown(world, talk.id) == ["The agent's later summary.", "go on"]
    assert captured(world, talk.id)[0] == "The agent's later summary."


def test_an_agent_s_summary_among_the_open_messages_is_the_checkpoint(world: World) -> None:
    """It came after everything that Waybook's stands for, though Waybook's was written later."""
    talk = Talk(world, name="alone")
    talk.turns(4)
    talk.say("The agent's summary.", "summary")
    talk.turns(1, "later")
    compact(world, talk.id, Scripted("Waybook's summary."))
    assert shown(world, talk.id)[0] == captured(world, talk.id)[0] == "The agent's summary."
    assert len(shown(world, talk.id)) == 3


def test_a_compaction_that_failed_changes_nothing(world: World) -> None:
    """Nor does one whose outcome is not known."""
    talk = Talk(world, name="alone")
    talk.turns(5)
    before = shown(world, talk.id)

    def broken(_request: object) -> str:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        compact(world, talk.id, Scripted(broken))
    assert shown(world, talk.id) == before


def test_other_sessions_and_subagents_keep_what_they_said(world: World) -> None:
    """A thread's summary stands for none of a subagent's messages, nor for another session's."""
    thread, run_id, talk = thread_with_talk(world)
    talk.turns(5)
    child = Talk(world, run_id, "child", parent="s1")
    child.turns(3)
    other = Talk(world, name="other")
    other.turns(3)
    before = shown(world, child.id), shown(world, other.id)
    compact(world, thread, Scripted("The thread's summary."))
    assert (shown(world, child.id), shown(world, other.id)) == before


def test_a_later_run_of_a_compacted_thread_rests_on_its_summary(world: World) -> None:
    """As its model calls do; the summary that it took over when it was forked gives way."""
    thread, _, talk = thread_with_talk(world)
    talk.turns(5)
    compact(world, thread, Scripted("The thread's summary."))
    run = world.run(thread=thread)
    later = Talk(world, run.id, "s2")
    later.say("The summary at the fork.", "summary")
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE messages SET inherited = 1 WHERE kind = 'summary'")
    later.turns(1, "later")
    assert shown(world, later.id)[0] == "The thread's summary."
    assert len(shown(world, later.id)) == 3
