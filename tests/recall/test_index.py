"""The full-text index: finds what the database finds, follows every change, keeps no deleted text, and may go at any time."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.helpers import look
from sessions.world import World
from store.helpers import DRIVERS, open_store, use_driver
from support.talks import Talk
from waybook.base.cancel import Progress
from waybook.base.errors import CancelledError
from waybook.memory.search import fold
from waybook.recall.index import update as updating
from waybook.recall.index.grams import lookup, pairs
from waybook.recall.index.repository import Where
from waybook.recall.index.service import SessionIndex, grouped
from waybook.sessions.messages.service import MessageService

if TYPE_CHECKING:
    from collections.abc import Iterator

SAID = (
    "The price filter drops every second row.",
    "主动压缩当前对话，保留持续限制。",
    "Straße und STRASSE",
    "ＦＵＬＬ width and half width",
    "カタカナとひらがな",
    "quotes \" and ' and % and _ and *",
    "a",
    "대화 압축",
    "NEAR AND OR NOT",
)
QUERIES = (
    "price filter", "PRICE", "ilter dro", "压缩", "压", "动压缩当", "持续限制", "strasse", "full width", "がな", "カタカナ",
    '" and', "% and _", "a", "압축", "near and", "AND OR", "zzz", "缩压", "every second row. The",
)  # fmt: skip


@pytest.fixture(params=DRIVERS)
def both(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world on an SQLite whose full-text tables can delete, and on an older one."""
    use_driver(request.param, monkeypatch)
    store = open_store(str(tmp_path / "data" / "x.db"))
    yield World(store)
    store.close()


def index_of(world: World) -> SessionIndex:
    return SessionIndex(world.store, str(Path(world.store.path).parent.parent / "cache" / "search"))


def updated(world: World) -> SessionIndex:
    index = index_of(world)
    assert index.update(Progress()).complete
    assert index.fresh()
    return index


def seqs(index: SessionIndex, query: str, limit: int = 100, where: Where | None = None) -> list[int] | None:
    found = index.search(query, where or Where(), limit)
    return None if found is None else [place.seq for place in found]


def imported(world: World, talk: Talk, position: int) -> None:
    """Note that the session's transcript was read this far."""
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE sessions SET path = ? WHERE seq = ?", (f"/t/{talk.seq}", talk.seq))
        connection.exec_driver_sql(
            "INSERT OR REPLACE INTO transcript_files VALUES (?, 'codex', 0, 0, ?, ?, ?, 0, '', '{}', '{}', '[]', 0, '')",
            (f"/t/{talk.seq}", position, position, position),
        )


def test_every_query_finds_what_a_scan_finds(both: World) -> None:
    """In any script and case; queries that are too short for the index are left to the database."""
    talk = Talk(both, "")
    said = {talk.say(text): text for text in SAID}
    index = updated(both)
    asked = 0
    for query in QUERIES:
        wanted = [seq for seq, text in sorted(said.items(), reverse=True) if fold(query) in fold(text)]
        found = seqs(index, query)
        if found is None:
            assert lookup(query) is None
            assert len(fold(query)) < 3
            plain = MessageService(both.store).search(query, limit=100)
            assert [place.seq for place in plain] == wanted
        else:
            asked += 1
            assert found == wanted, query
    assert asked >= 17


def test_calls_are_found_by_arguments_and_output(both: World) -> None:
    """Each field by itself; an open call by its arguments, by its output once it has ended."""
    talk = Talk(both, "")
    imported(both, talk, 1)
    seq = talk.call("shell", "half of the output", state="unfinished", arguments='{"command": "make needle"}')
    index = updated(both)
    assert seqs(index, "make needle") == [seq]
    with both.store.write() as connection:
        connection.exec_driver_sql("UPDATE tool_receipts SET state = 'ok', output = 'the whole output'")
    imported(both, talk, 2)
    assert not index.fresh()
    assert seqs(index, "whole output") is None
    assert index.update(Progress()).removed == 0
    assert seqs(index, "whole output") == [seq]


def test_hidden_and_inherited_messages_and_other_projects_are_left_out(both: World) -> None:
    """The database decides what is shown, at the moment of the search."""
    talk, other = Talk(both, "", "s1"), Talk(both, "", "s2")
    with both.store.write() as connection:
        connection.exec_driver_sql("UPDATE sessions SET cwd = '/srv/' || native_id, path = '/home/me/' || native_id")
    one, two = talk.say("needle one"), other.say("needle two")
    talk.say("needle hidden", hidden=1)
    index = updated(both)
    assert seqs(index, "needle") == [two, one]
    assert seqs(index, "needle", 1) == [two]
    assert seqs(index, "needle", where=Where(cwd="/srv/s1")) == [one]
    assert seqs(index, "needle", where=Where(below="/home/me/s2")) == []
    assert seqs(index, "needle", where=Where(below="/home/me")) == [two, one]
    assert seqs(index, "needle", where=Where(agent="pi")) == []
    with both.store.write() as connection:
        connection.exec_driver_sql("UPDATE messages SET hidden = 1 WHERE seq = ?", (two,))
    assert seqs(index, "needle") == [one]


def test_new_messages_make_it_stale_and_are_added_alone(both: World) -> None:
    """A second update without news does nothing; an import adds only what is new."""
    talk = Talk(both, "")
    talk.turns(5)
    index = updated(both)
    assert index.update(Progress()).added == 0
    seq = talk.say("something new")
    assert not index.fresh()
    assert seqs(index, "something new") is None
    assert index.update(Progress()).added == 1
    assert seqs(index, "something new") == [seq]


def test_deleted_and_replaced_texts_leave_the_file(both: World) -> None:
    """Not found any more, and none of their pieces is in any byte of it."""
    words = [chr(0x1410 + 5 * number) * 3 for number in range(20)]
    talk, gone = Talk(both, "", "s1"), Talk(both, "", "s2")
    stays = talk.say("needle that stays")
    replaced = talk.say(" ".join(words[:10]))
    gone.say(" ".join(words[10:]))
    imported(both, talk, 1)
    index = updated(both)
    folder = Path(index.path).parent
    pieces = [word.encode()[3:] for word in words]  # FTS5 leaves out what a piece shares with the one before
    (there,) = look(folder, pieces).values()
    assert there
    with both.store.write() as connection:
        connection.exec_driver_sql("DELETE FROM messages WHERE session_seq = ?", (gone.seq,))
        connection.exec_driver_sql("DELETE FROM sessions WHERE seq = ?", (gone.seq,))
        connection.exec_driver_sql("UPDATE messages SET text = 'needle instead' WHERE seq = ?", (replaced,))
    imported(both, talk, 2)
    index = updated(both)
    assert look(folder, pieces) == {}
    assert seqs(index, words[0]) == seqs(index, words[-1]) == []
    assert seqs(index, "needle") == [replaced, stays]


def test_a_cancelled_update_goes_on_where_it_was(both: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is told; what was written stays; the index does not claim to be fresh meanwhile."""
    monkeypatch.setattr(updating, "BATCH_PIECES", 10)
    talk = Talk(both, "")
    talk.turns(30)
    steps: list[tuple[str, int, int]] = []
    progress = Progress(lambda *step: (steps.append(step), len(steps) == 4 and progress.cancel()))  # type: ignore[func-returns-value]
    index = index_of(both)
    with pytest.raises(CancelledError):
        index.update(progress)
    assert not index.fresh()
    assert steps[0] == ("indexing sessions", 0, 60)
    assert steps[3] == ("indexing sessions", 30, 60)
    assert index.update(Progress()).added == 20
    assert len(seqs(index, "please do part") or ()) == 30


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_file_is_made_anew(both: World, damage: bytes) -> None:
    """It is never precious and never in the way."""
    seq = Talk(both, "").say("needle")
    index = updated(both)
    Path(index.path).write_bytes(damage)
    assert seqs(index, "needle") is None
    assert index.update(Progress()).complete
    assert seqs(index, "needle") == [seq]
    Path(index.path).unlink()
    assert not index.fresh()
    assert not Path(index.path).exists()


def test_another_layout_is_made_anew(both: World) -> None:
    """A file of an earlier program is not read."""
    seq = Talk(both, "").say("needle")
    index = updated(both)
    file = index._open(make=False)
    assert file is not None
    file.write((), (), values={"layout": "0"})
    file.close()
    assert seqs(index, "needle") is None
    assert updated(both).search("needle", Where(), 5)
    assert seqs(index, "needle") == [seq]


def test_it_is_private(both: World) -> None:
    """Pieces of what people said are readable by their owner alone."""
    Talk(both, "").say("needle")
    path = Path(updated(both).path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@given(st.lists(st.integers(0, 400)), st.integers(1, 9))
def test_groups_hold_each_message_once(numbers: list[int], size: int) -> None:
    """Whatever pieces of a message matched."""
    ordered = sorted(numbers, reverse=True)
    groups = list(grouped(ordered, size))
    assert all(1 <= len(group) <= size for group in groups)
    flat = [seq for group in groups for seq in group]
    assert sorted(set(flat), reverse=True) == sorted({number // 4 for number in numbers}, reverse=True)


@given(st.text(max_size=80), st.integers(0, 79), st.integers(2, 20))
def test_a_substring_has_only_pieces_of_its_text(text: str, start: int, length: int) -> None:
    """So a lookup never misses: every piece of a query that a folded text holds is a piece of the text."""
    query = fold(text)[start : start + length]
    how = lookup(query)
    if how is None:
        return
    if how.table == "pairs":
        assert how.pieces[0] in pairs(fold(text)).split(" ")
    else:
        assert all(piece in fold(text) for piece in how.pieces)
