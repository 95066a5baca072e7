"""Physical deletion, proven: after it no file that the product wrote holds the words, nor ten characters of them."""

from __future__ import annotations

import os
import random
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memory.helpers import USER, draft, leftovers, look
from store.helpers import DRIVERS, OPERATOR, open_store, raw, use_driver
from waybook.memory.model import Change, Status
from waybook.memory.search_service import SearchService
from waybook.memory.service import MemoryService
from waybook.store import engine

if TYPE_CHECKING:
    from waybook.store.store import Store

NEEDLE = "Flügelhorn-4711-Brückenpfeiler"
TESTS = Path(__file__).parents[1]


def folder(store: Store) -> Path:
    return Path(store.path).parent


def words(number: int, size: int) -> str:
    """A text of this many characters that repeats its number everywhere."""
    return (f"w{number:06}é" * (size // 8 + 1))[:size]


def test_the_look_finds_what_is_there(store: Store, memory: MemoryService) -> None:
    """The proof's own proof: before the deletion the needle is found in the database or its log."""
    memory.create(draft(content=NEEDLE), OPERATOR)
    assert leftovers(folder(store), NEEDLE)


def test_a_deleted_memory_is_nowhere(store: Store, memory: MemoryService) -> None:
    """Title, content, source and references, with a search in between."""
    parts = {name: f"{name}-{NEEDLE}" for name in ("title", "content", "source", "place")}
    kept = memory.create(
        draft(parts["title"], parts["content"] * 100, source_ref=parts["source"], references=(parts["place"],)),
        OPERATOR,
    )
    searcher = SearchService(store)
    assert searcher.search("brückenpfeiler", [USER]).total == 1
    assert memory.delete(kept.id, 1, OPERATOR).erasure == "done"
    assert [leftovers(folder(store), text) for text in parts.values()] == [[]] * 4
    assert searcher.search("brückenpfeiler", [USER]).total == 0


def test_an_edited_text_is_nowhere(store: Store, memory: MemoryService) -> None:
    """Only the new text stays; switching a memory off and on erases nothing."""
    kept = memory.create(draft(content=NEEDLE), OPERATOR)
    assert memory.edit(kept.id, 1, Change(content="something else"), OPERATOR).erasure == "done"
    assert leftovers(folder(store), NEEDLE) == []
    assert leftovers(folder(store), "something else")
    memory.switch(kept.id, 2, Status.DISABLED, OPERATOR)
    assert memory.show(kept.id).content == "something else"


def test_any_mixture_of_writes_leaves_nothing(store: Store, memory: MemoryService) -> None:
    """Hundreds of creations, edits and deletions of texts from one byte's page to five pages."""
    chance, alive, dead = random.Random(7), {}, []
    for number in range(320):
        text = words(number, chance.choice([12, 40, 200, 900, 3000, 12000]))
        if chance.random() < 0.45 or not alive:
            alive[memory.create(draft(content=text), OPERATOR).id] = (1, number)
            continue
        id_ = chance.choice(list(alive))
        version, old = alive.pop(id_)
        dead.append(old)
        if chance.random() < 0.6:
            memory.edit(id_, version, Change(content=text), OPERATOR)
            alive[id_] = (version + 1, number)
        else:
            memory.delete(id_, version, OPERATOR)
    found = set().union(*look(folder(store), [f"w{number:06}".encode() for number in range(320)]).values())
    assert sorted(int(piece[1:]) for piece in found) == sorted(number for _, number in alive.values())
    assert dead
    store.close()
    assert raw(store.path, "PRAGMA integrity_check") == [("ok",)]
    assert dirty_pages(store.path, "memory_texts") == []


def dirty_pages(path: str, table: str) -> list[int]:
    """The leaf pages of a table whose unused middle holds more than the links of free blocks.

    By the file format (sqlite.org/fileformat2.html); a link is four bytes.
    """
    ((root,),) = raw(path, f"SELECT rootpage FROM sqlite_master WHERE name = '{table}'")
    data = Path(path).read_bytes()
    (size,) = struct.unpack(">H", data[16:18])
    pages, found = [root], []
    while pages:
        page = pages.pop()
        body = data[(page - 1) * size : page * size]
        cells, start = struct.unpack(">HH", body[3:7])
        if body[0] == 5:
            places = struct.unpack(f">{cells}H", body[12 : 12 + 2 * cells])
            pages += [struct.unpack(">I", body[8:12])[0], *(struct.unpack(">I", body[at : at + 4])[0] for at in places)]
        else:
            assert body[0] == 13
            found += [page] if re.search(rb"[^\0]{5}", body[8 + 2 * cells : start]) else []
    return found


def test_tables_whose_rows_move_are_rewritten(store: Store, memory: MemoryService) -> None:
    """`mark(rewrite=True)` and `erase_residue(rewrite=True)` write the whole database anew; nothing else is lost."""
    from waybook.store import erase

    kept = memory.create(draft(), OPERATOR)
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE workspaces SET name = name")
        erase.mark(connection, rewrite=True)
    assert not store.erasure_pending()
    assert store.erase_residue(rewrite=True)
    assert memory.show(kept.id) == kept


def test_backups_of_migrations_go_as_well(store: Store, memory: MemoryService) -> None:
    """A copy that a migration left may hold the text: it is removed; one of a schema without memories stays."""
    kept = memory.create(draft(content=NEEDLE), OPERATOR)
    with store.read():
        pass
    for version in (1, 2, 10):
        engine.backup(
            engine.load_driver(), store.path, _touch(f"{store.path}.schema-{version}.20260101T000000000000Z.backup")
        )
    _touch(f"{store.path}.schema-2.20260101T000000000000Z.backup.unfinished")
    Path(f"{store.path}.schema-1.20260101T000000000000Z.backup").write_text("an old one")
    assert len(leftovers(folder(store), NEEDLE)) >= 3
    memory.delete(kept.id, 1, OPERATOR)
    assert leftovers(folder(store), NEEDLE) == []
    assert [file.name for file in folder(store).glob("*.backup*")] == ["x.db.schema-1.20260101T000000000000Z.backup"]


def _touch(path: str) -> str:
    Path(path).touch()
    return path


CRASH = """
import os, sys, importlib
sys.path.insert(0, sys.argv[1])
from memory.helpers import draft
from store.helpers import OPERATOR, Counted, open_store
from waybook.memory.model import Change
from waybook.memory.service import MemoryService
from waybook.store import engine, erase
module = importlib.import_module(sys.argv[2])
engine.load_driver = lambda: module
memory = MemoryService(open_store(sys.argv[3], ids=Counted(1000)))
kept = memory.create(draft(content=sys.argv[4]), OPERATOR)
step = sys.argv[5]
if step == "commit":
    erase.finish = lambda *_, **__: os._exit(9)
elif step == "log":
    engine.truncate_log = lambda *_: os._exit(9)
else:
    erase._clear = lambda *_: os._exit(9)
memory.edit(kept.id, 1, Change(content="other"), OPERATOR) if sys.argv[6] == "edit" else memory.delete(kept.id, 1, OPERATOR)
"""


@pytest.mark.parametrize("driver_name", DRIVERS)
@pytest.mark.parametrize("step", ["commit", "log", "clear"])
@pytest.mark.parametrize("action", ["edit", "delete"])
def test_a_crash_in_between_is_made_good(
    tmp_path: Path, driver_name: str, step: str, action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed after the commit, before the log is emptied, before the mark is cleared: the next writer finishes it."""
    use_driver(driver_name, monkeypatch)
    path = tmp_path / "x.db"
    done = subprocess.run(
        [sys.executable, "-c", CRASH, str(TESTS), driver_name, str(path), NEEDLE, step, action], check=False, timeout=60
    )
    assert done.returncode == 9
    if driver_name != "sqlite3" and step != "clear":
        assert leftovers(tmp_path, NEEDLE), "the crash came too late to prove anything"
    store = open_store(str(path))
    assert store.erasure_pending()
    assert store.status().erasure == "pending"
    MemoryService(store).create(draft("another"), OPERATOR)
    assert leftovers(tmp_path, NEEDLE) == []
    assert store.status().erasure == "done"
    store.close()


READER = """
import sys
sys.path.insert(0, sys.argv[1])
from store.helpers import open_store
store = open_store(sys.argv[2])
with store.read() as connection:
    connection.exec_driver_sql("SELECT count(*) FROM memories").all()
    print("reading", flush=True)
    sys.stdin.readline()
store.close()
print("closed", flush=True)
"""


def test_another_programs_reader_delays_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`erasure: pending` while it reads, also for doctor; then the next writer, or doctor, finishes it."""
    use_driver("pysqlite3.dbapi2", monkeypatch)
    data = tmp_path / "waybook-data"
    store = open_store("", data_dir=str(data))
    memory = MemoryService(store)
    first, second = (memory.create(draft(name, f"{name} {NEEDLE}"), OPERATOR) for name in ("a", "b"))
    for finish in ("writer", "doctor"):
        with subprocess.Popen(
            [sys.executable, "-c", READER, str(TESTS), store.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as reader:
            assert reader.stdout
            assert reader.stdin
            assert reader.stdout.readline() == "reading\n"
            assert memory.delete((first if finish == "writer" else second).id, 1, OPERATOR).erasure == "pending"
            memory.create(draft(f"c {finish}"), OPERATOR)  # is not held up, and does not finish it either
            assert store.status().erasure == "pending"
            assert leftovers(data, NEEDLE)
            if finish == "doctor":
                assert "deleted text" in doctor(tmp_path, 1)
            reader.stdin.write("\n")
            reader.stdin.flush()
            assert reader.stdout.readline() == "closed\n"
            assert reader.wait(20) == 0
        if finish == "writer":
            memory.create(draft("d"), OPERATOR)
            assert leftovers(data, f"a {NEEDLE}"[:9]) == []
            assert store.status().erasure == "done"
        else:
            assert "deleted text" not in doctor(tmp_path, 0)
    assert leftovers(data, NEEDLE) == []
    store.close()


def doctor(tmp_path: Path, code: int) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "waybook", "doctor"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_the_command_line_leaves_nothing_either(tmp_path: Path) -> None:
    """Through real processes: database, log, index, backups, logs, caches and temporary files of one home directory."""
    home = tmp_path / "home"
    (home / "tmp").mkdir(parents=True)
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("WAYBOOK_", "XDG_"))}
    environ |= {"HOME": str(home), "TMPDIR": str(home / "tmp"), "WAYBOOK_OPERATOR": "ada"}

    def waybook(*arguments: str, text: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "waybook", *arguments],
            cwd=home, env=environ, input=text, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    waybook("memory", "create", "--scope", "user", "--title", f"T {NEEDLE}", text=f"{NEEDLE} and more\n")
    listed = waybook("memory", "list", "--json")
    id_ = listed.partition('"id": "')[2].partition('"')[0]
    assert NEEDLE in waybook("memory", "search", "Brückenpfeiler", "--json")
    assert leftovers(home, NEEDLE)
    waybook("memory", "edit", id_, "--version", "1", "--title", "T", "--content", f"second {NEEDLE[::-1]}")
    assert leftovers(home, NEEDLE) == []
    waybook("memory", "delete", id_, "--version", "2")
    assert leftovers(home, NEEDLE[::-1]) == []
    assert [file.name for file in home.rglob("waybook.db")] == ["waybook.db"]
