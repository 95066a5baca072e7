"""Kill a writing program at fifty random moments; run by test_processes.py. Prints deaths and acknowledged writes."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory.test_processes import DEATHS, facts, kept, prepared
from memory.writer import main as write

if TYPE_CHECKING:
    from waybook.memory.model import Memory


def one_life(path: Path, number: int, seconds: float) -> str:
    """Fork a writer, kill it after a while, answer what it had said."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.dup2(writing, 1)
            os.close(0)
            os.open(os.devnull, os.O_RDONLY)
            write(str(path), number, 100_000, "pysqlite3.dbapi2")
        finally:
            os._exit(3)
    os.close(writing)
    with os.fdopen(reading) as output:
        assert output.readline() == '["ready"]\n'
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        said = output.read()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the writer failed by itself"
    return said


def check(before: dict[str, Memory], said: list[list[Any]], found: dict[str, Memory]) -> None:
    """Exactly what was acknowledged, and at most one write beyond it."""
    expected: dict[str, tuple[int, str]] = {id_: (item.version, item.content) for id_, item in before.items()}
    for what, id_, version, text in (fact for fact in said if len(fact) == 4):
        if what == "deleted":
            del expected[id_]
        else:
            expected[id_] = (version, text)
    now = {id_: (item.version, item.content) for id_, item in found.items()}
    differing = {id_ for id_ in {*expected, *now} if expected.get(id_) != now.get(id_)}
    assert len(differing) <= 1
    for id_ in differing:
        if id_ in now:
            assert now[id_][0] == expected.get(id_, (0, ""))[0] + 1
            assert now[id_][1].startswith("process ")


def main(path: Path) -> None:
    """Fifty lives, each after the other, on one store."""
    chance, acknowledged = random.Random(11), 0
    prepared(path, 2)
    before = kept(path)
    for number in range(DEATHS):
        said = list(facts(one_life(path, number, chance.uniform(0.005, 0.12))))
        found = kept(path)
        check(before, said, found)
        before = found
        acknowledged += len(said)
    sys.stdout.write(f"{DEATHS} {acknowledged}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
