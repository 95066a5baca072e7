"""Many programs at one store, and programs that die: nothing acknowledged is lost, nothing is half written."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memory.helpers import USER, draft, look
from store.helpers import DRIVERS, OPERATOR, open_store, raw, use_driver
from waybook.base.canonical import sha256_hex
from waybook.base.clock import SystemClock
from waybook.base.ids import SystemIds
from waybook.memory.service import MemoryService

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.memory.model import Memory

WRITER = Path(__file__).parent / "writer.py"
PROCESSES, WRITES, DEATHS = 8, 200, 50


def start(path: Path, number: int, writes: int, driver: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WRITER), str(path), str(number), str(writes), driver],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


def prepared(path: Path, count: int) -> None:
    """A store with memories that everybody writes to."""
    store = open_store(str(path), clock=SystemClock(), ids=SystemIds())
    memory = MemoryService(store)
    for number in range(count):
        memory.create(draft("shared", f"shared {number}"), OPERATOR)
    store.close()


def kept(path: Path) -> dict[str, Memory]:
    """Everything in the store, after it was found sound."""
    assert raw(path, "PRAGMA integrity_check") == [("ok",)]
    assert raw(path, "PRAGMA foreign_key_check") == []
    store = open_store(str(path), clock=SystemClock(), ids=SystemIds())
    found = {item.id: item for item in MemoryService(store).export([USER], everything=True)}
    store.close()
    assert all(item.content_sha256 == sha256_hex(item.content) for item in found.values())
    unused = "SELECT count(*) FROM memory_texts WHERE title <> '' AND seq NOT IN (SELECT text_seq FROM memories)"
    assert raw(path, unused) == [(0,)]
    return found


def facts(output: str) -> Iterator[list[Any]]:
    """The whole lines of a program that may have been killed in the middle of one."""
    whole, _, _ = output.rpartition("\n")
    return (json.loads(line) for line in whole.split("\n") if line)


@pytest.mark.parametrize("driver_name", DRIVERS)
def test_eight_programs_of_two_hundred_writes(
    tmp_path: Path, driver_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every acknowledged version is there, each version was given once, conflicts are told, no lock reaches anybody."""
    use_driver(driver_name, monkeypatch)
    path = tmp_path / "x.db"
    prepared(path, 4)
    writes = WRITES if driver_name != "sqlite3" else WRITES // 4  # a rollback journal: as correct, four times slower
    processes = [start(path, number, writes, driver_name) for number in range(PROCESSES)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == '["ready"]\n'
    for process in processes:
        go(process)
    answers: list[tuple[str, str]] = [("", "")] * PROCESSES

    def collect(place: int) -> None:
        answers[place] = processes[place].communicate(timeout=100)

    threads = [threading.Thread(target=collect, args=(place,)) for place in range(PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(process.returncode, error) for process, (_, error) in zip(processes, answers, strict=True)] == [
        (0, "")
    ] * PROCESSES
    said = [fact for output, _ in answers for fact in facts(output)]
    counts = Counter(fact[0] for fact in said)
    assert counts["created"] + counts["edited"] + counts["deleted"] + counts["conflict"] == PROCESSES * writes
    assert counts["conflict"] > 0
    found = kept(path)
    last: dict[str, tuple[int, str]] = {}
    given = Counter((id_, version) for what, id_, version, *_ in (fact for fact in said if len(fact) > 3) if version)
    assert max(given.values()) == 1, "two programs were told the same version"
    for _, id_, version, text in (fact for fact in said if len(fact) == 4):
        if version == 0 or version > last.get(id_, (1, ""))[0] or id_ not in last:
            last[id_] = (version or 1 << 30, text)
    gone = {id_ for id_, (_, text) in last.items() if not text}
    assert gone.isdisjoint(found)
    assert {id_: (found[id_].version, found[id_].content) for id_ in last if id_ not in gone} == {
        id_: value for id_, value in last.items() if id_ not in gone
    }
    store = open_store(str(path))
    MemoryService(store).create(draft("one more"), OPERATOR)
    assert store.status().erasure == "done"
    store.close()
    replaced = {fact[3].partition("x")[0].encode() for fact in said if len(fact) == 4 and fact[3]}
    replaced -= {item.content.partition("x")[0].encode() for item in found.values()}
    assert len(replaced) > writes
    assert look(tmp_path, sorted(replaced)) == {}


def test_killed_at_fifty_moments(tmp_path: Path) -> None:
    """kill -9: the store opens again, what was acknowledged is there, at most the write in flight was added, whole."""
    run = f"import runpy; runpy.run_path({str(WRITER.with_name('kill_writes.py'))!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(WRITER.parents[1])!r}); {run}", str(tmp_path / "x.db")],
        capture_output=True, text=True, check=False, timeout=110,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    deaths, acknowledged = map(int, done.stdout.split())
    assert deaths == DEATHS
    assert acknowledged > DEATHS
