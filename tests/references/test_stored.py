"""Sessions in the database as a source: what is read of them, in which order, and what deletion leaves."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from references.sources import add
from store.helpers import open_store
from waybook.base.cancel import Progress
from waybook.base.errors import CancelledError, NotFoundError, RefusedError
from waybook.references.mentions import format_mention
from waybook.references.prepare import prepare
from waybook.references.projection import project
from waybook.references.stored import StoredSessions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waybook.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database."""
    opened = open_store(str(tmp_path / "waybook.db"))
    yield opened
    opened.close()


def shown(store: Store, session_id: str) -> list[str]:
    """The texts another session would see."""
    return [unit.text for unit in project(StoredSessions(store).read(session_id, Progress()).messages)]


def test_lists_are_newest_first_without_subagents(store: Store) -> None:
    """A subagent's session can be mentioned, but nobody looks for it."""
    add(
        store,
        "old",
        updated_at="2026-01-01T00:00:00.000000Z",
        title="Old",
        cwd="/srv/a",
        path="/h/old.jsonl",
        messages=3,
    )
    add(store, "new", updated_at="2026-01-02T00:00:00.000000Z")
    add(store, "child", updated_at="2026-01-03T00:00:00.000000Z", parent="new")
    source = StoredSessions(store)
    assert [record.id for record in source.sessions()] == ["new", "old"]
    assert source.find("child") is not None
    old = source.sessions()[1]
    assert (old.title, old.cwd, old.agent, old.messages, old.path) == ("Old", "/srv/a", "codex", 3, "/h/old.jsonl")


def test_only_words_of_people_answers_and_summaries_are_read(store: Store) -> None:
    """Not reasoning, calls, results, notices, side chains, nor what a person went back behind."""
    add(
        store,
        "s",
        {"text": "question"},
        {"text": "thought", "kind": "reasoning", "role": "assistant"},
        {"text": "call", "kind": "call", "role": "assistant"},
        {"text": "output", "kind": "result", "role": "tool"},
        {"text": "notice", "kind": "notice", "role": "system"},
        {"text": "side", "side": 1},
        {"text": "undone", "hidden": 1},
        {"text": "é answer", "kind": "answer", "role": "assistant"},
    )
    assert shown(store, "s") == ["question", "é answer"]
    record = StoredSessions(store).find("s")
    assert record is not None
    assert record.size == len("questioné answer".encode())
    surface = StoredSessions(store).read("s", Progress())
    assert surface.captured_through == 8


def test_an_agent_s_compaction_hides_what_was_before_it(store: Store) -> None:
    """Its transcript keeps the old messages; only the latest summary and what follows are before the model."""
    rows = [
        {"text": "one"},
        {"text": "first summary", "kind": "summary", "role": "system"},
        {"text": "two"},
        {"text": "second summary", "kind": "summary", "role": "system"},
        {"text": "three"},
    ]
    add(store, "s", *rows)
    assert shown(store, "s") == ["second summary", "three"]


def test_waybook_s_own_compaction_marks_what_it_hides(store: Store) -> None:
    """In a run's session the messages before the summary that are not hidden are still there."""
    with store.write() as connection:
        for statement in (
            "INSERT INTO workspaces VALUES ('w', '/w', 'w', 'now')",
            "INSERT INTO missions VALUES ('m', 'w', 'g', 'p', 'now')",
            "INSERT INTO runs VALUES ('r', 'm', 'w', 'p', '.', 'created', 'p', 'now', 'now')",
        ):
            connection.exec_driver_sql(statement)
    rows = [{"text": "gone", "hidden": 1}, {"text": "kept"}, {"text": "summary", "kind": "summary", "role": "system"}]
    add(store, "s", *rows, run_id="r")
    assert shown(store, "s") == ["summary", "kept"]


def test_a_message_written_before_its_parent_stands_behind_it(store: Store) -> None:
    """The order is that of the conversation."""
    rows = [{"text": "third", "key": "c", "parent": "b"}, {"text": "first", "key": "a"}]
    add(store, "s", *rows, {"text": "second", "key": "b", "parent": "a"})
    assert shown(store, "s") == ["first", "second", "third"]


@pytest.mark.parametrize("session_id", ["gone", "a\0b", "\ud800", ""])
def test_what_is_not_there(store: Store, session_id: str) -> None:
    """Also ids that no database could hold."""
    source = StoredSessions(store)
    assert source.find(session_id) is None
    with pytest.raises(NotFoundError):
        source.read(session_id, Progress())
    with pytest.raises(NotFoundError, match="deleted or never imported"):
        prepare(format_mention(session_id, "x"), "me", source)


def test_an_agent_s_own_id_means_the_same_session(store: Store) -> None:
    """Mentioned under both ids it is taken in once; it cannot mention itself under either; a shared id means nobody."""
    source = StoredSessions(store)
    add(store, "ses_1", {"text": "hello"}, native_id="0a-1")
    add(store, "ses_2", {"text": "other"}, native_id="twin")
    add(store, "ses_3", {"text": "other"}, native_id="twin", agent="claude-code")
    prepared = prepare(format_mention("0a-1") + format_mention("ses_1"), "ses_2", source)
    assert [item.session_id for item in prepared.references] == ["0a-1"]
    assert "hello" in prepared.text
    for own in ("ses_1", "0a-1"):
        with pytest.raises(RefusedError) as caught:
            prepare(format_mention("ses_1"), own, source)
        assert caught.value.code == "SESSION_REFERENCE_SELF_REFERENCE"
    assert source.find("twin") is None


def test_deletion_leaves_a_reference_that_gives_nothing(store: Store) -> None:
    """What was prepared before stays; lists go on; a new preparation is refused."""
    source = StoredSessions(store)
    add(store, "s1", {"text": "secret plan"})
    add(store, "s2", {"text": format_mention("s1")})
    prepared = prepare(format_mention("s1"), "s2", source)
    with store.write() as connection:
        connection.exec_driver_sql("DELETE FROM messages WHERE text = 'secret plan'")
        connection.exec_driver_sql("DELETE FROM sessions WHERE id = 's1'")
    assert "secret plan" in prepared.text
    assert source.find("s1") is None
    assert [record.id for record in source.sessions()] == ["s2"]
    with pytest.raises(NotFoundError) as caught:
        prepare(format_mention("s1"), "s2", source)
    assert caught.value.code == "SESSION_REFERENCE_READ_FAILED"
    assert "secret plan" not in caught.value.message


def test_three_sessions_are_read_side_by_side(store: Store) -> None:
    """The real store answers several threads, and a writer in between changes no reader's state."""
    for name in "abc":
        add(store, name, *({"text": f"{name} {number}"} for number in range(300)))
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            add(store, f"w{number}", {"text": "x"})

    writer = threading.Thread(target=write)
    writer.start()
    try:
        prepared = prepare("".join(map(format_mention, "abc")), "me", StoredSessions(store))
    finally:
        stop.set()
        writer.join()
    assert [item.retained_messages for item in prepared.references] == [300, 300, 300]


def test_reading_stops_when_it_is_cancelled(store: Store) -> None:
    """Between two messages."""
    add(store, "s", {"text": "x"}, {"text": "y"})
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        StoredSessions(store).read("s", progress)
