"""What a candidate copied leaves every file once it is reviewed, refreshed or dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessions.world import OPERATOR, World
from store.helpers import DRIVERS, open_store, use_driver
from waybook.memory.candidates import repository
from waybook.memory.candidates.model import Review
from waybook.sessions.notes.model import NoteChange
from waybook.sessions.notes.rules import fingerprint
from waybook.store import erase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOTES = 120


@pytest.fixture(params=DRIVERS)
def world(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    use_driver(request.param, monkeypatch)
    store = open_store("", data_dir=str(tmp_path / "data"))
    yield World(store)
    store.close()


def needle(number: int) -> str:
    return f"needle{number:04}thread"


def found(tmp_path: Path) -> set[str]:
    """The needles in any file of the data directory."""
    blobs = [path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file()]
    return {needle(number) for number in range(NOTES) if any(needle(number).encode() in blob for blob in blobs)}


def haystack(world: World) -> None:
    """Pending candidates whose texts (of many sizes) stand nowhere else: their notes say something else by now."""
    run = world.run().id
    for number in range(NOTES):
        world.note(
            f"{needle(number)} {'x' * (number * 37 % 3000)} {needle(number)}",
            run_id=run,
            title=f"about {needle(number)}",
            evidence=(f"docs/{needle(number)}.md",),
        )
    world.complete(run)
    world.candidates.list(world.workspace.id, OPERATOR)
    with world.store.write() as connection:
        connection.exec_driver_sql(
            "UPDATE notes SET title = 't', content = 'c', evidence = '[\"e\"]', version = 2, fingerprint = ?",
            (fingerprint("t", "c", "", ("e",)),),
        )
    assert world.store.erase_residue(rewrite=True)


def test_the_search_finds_what_is_there(world: World, tmp_path: Path) -> None:
    """Else the tests below could not fail: every needle lies in the candidates' copies, and only there."""
    haystack(world)
    assert len(found(tmp_path)) == NOTES
    assert world.scalar("SELECT count(*) FROM notes WHERE content LIKE '%needle%'") == 0


def test_a_refresh_erases_the_old_words(world: World, tmp_path: Path) -> None:
    """Listing copies what the notes say now; no old copy is left."""
    haystack(world)
    assert world.candidates.list(world.workspace.id, OPERATOR).erasure == "done"
    assert found(tmp_path) == set()
    assert world.scalar("SELECT count(*) FROM memory_candidates WHERE version = 2") == NOTES


def test_dropping_erases(world: World, tmp_path: Path) -> None:
    """Candidates whose notes are no sources any more go with their texts."""
    haystack(world)
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE notes SET status = 'archived', version = version + 1")
    assert world.candidates.list(world.workspace.id, OPERATOR).candidates == ()
    assert found(tmp_path) == set()


def test_burying_erases_exactly_the_buried(world: World, tmp_path: Path) -> None:
    """Every third tombstone: its text is gone from the file, its neighbours' are whole."""
    haystack(world)
    with world.store.read() as connection:
        pending = list(repository.pending(connection, world.workspace.id).values())
    buried = sorted(pending, key=lambda item: str(item.title))[::3]
    for candidate in buried:
        with world.store.write() as connection:
            repository.bury(connection, candidate, None, "ada", "now")
            erase.mark(connection)
    gone = {str(candidate.title).removeprefix("about ") for candidate in buried}
    assert found(tmp_path) == {needle(number) for number in range(NOTES)} - gone


def test_no_copy_outlives_memory_and_note(world: World, tmp_path: Path) -> None:
    """Confirmed, then the memory deleted and the note rewritten: nothing else had kept the words."""
    run = world.run().id
    notes = [world.note(needle(number), run_id=run, title=needle(number)) for number in range(6)]
    world.complete(run)
    for candidate in world.candidates.list(world.workspace.id, OPERATOR).candidates:
        seen = Review(candidate.version, candidate.fingerprint, candidate.note_version)
        if candidate.note_id == notes[0].id:
            world.candidates.reject(candidate.id, seen, OPERATOR)
            continue
        decision = world.candidates.confirm(candidate.id, seen, OPERATOR, confirm=True)
        world.memories.delete(str(decision.memory_id), 1, OPERATOR)
    assert len(found(tmp_path)) == 6
    for note in notes:
        world.notes.edit(note.id, 1, NoteChange(title="t", content="c"), OPERATOR)
    assert world.store.erase_residue(rewrite=True)
    assert found(tmp_path) == set()
    assert world.scalar("SELECT count(*) FROM memory_candidates WHERE status <> 'pending'") == 6


def test_an_open_reader_makes_it_pending_and_the_next_writer_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says so; when the reader has gone, any write finishes the erasure."""
    use_driver("pysqlite3.dbapi2", monkeypatch)
    store, other = (open_store("", data_dir=str(tmp_path / "data")) for _ in range(2))
    world = World(store)
    haystack(world)
    with other.read() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM notes").scalar_one()
        assert world.candidates.list(world.workspace.id, OPERATOR).erasure == "pending"
        assert found(tmp_path)
    world.thread()
    assert found(tmp_path) == set()
    store.close()
    other.close()
