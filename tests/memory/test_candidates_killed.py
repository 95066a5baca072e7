"""kill -9 while candidates are confirmed and rejected: no half decision, and nothing acknowledged is lost."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sessions.world import OPERATOR, World
from store.helpers import DRIVERS, open_store, use_driver

TESTS = Path(__file__).parents[1]
KILLS = 6
DECIDE = """
import sys, importlib, itertools
sys.path.insert(0, sys.argv[1])
from store.helpers import OPERATOR, Counted, open_store
from waybook.memory.candidates.model import Review
from waybook.memory.candidates.service import CandidateService
from waybook.memory.service import MemoryService
from waybook.store import engine
module = importlib.import_module(sys.argv[2])
engine.load_driver = lambda: module
store = open_store(sys.argv[3], ids=Counted(int(sys.argv[4]) * 100000))
service = CandidateService(store, MemoryService(store))
workspace = sys.argv[5]
while True:
    found = service.list(workspace, OPERATOR).candidates
    if not found:
        break
    for number, candidate in enumerate(found):
        seen = Review(candidate.version, candidate.fingerprint, candidate.note_version)
        if number % 2:
            service.reject(candidate.id, seen, OPERATOR)
        else:
            service.confirm(candidate.id, seen, OPERATOR, confirm=True)
        print(candidate.id, flush=True)
"""


@pytest.mark.parametrize("driver", DRIVERS)
def test_kill_at_any_moment(tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory for each confirmed tombstone and none more; no text of a reviewed one; what was said is there."""
    use_driver(driver, monkeypatch)
    moment = random.Random(driver)
    path = str(tmp_path / "x.db")
    world = World(open_store(path))
    run = world.run().id
    for number in range(140):
        world.note(f"text {number} " + "x" * 900, run_id=run)
    world.complete(run)
    acknowledged: list[str] = []
    for kill in range(1, KILLS + 1):
        world.store.close()
        program = subprocess.Popen(
            [sys.executable, "-c", DECIDE, str(TESTS), driver, path, str(kill), world.workspace.id],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert program.stdout is not None
        acknowledged.append(program.stdout.readline().strip())
        time.sleep(moment.uniform(0, 0.25))
        program.kill()
        acknowledged += program.communicate(timeout=60)[0].split()
        world = World(open_store(path))
        states = {name: world.candidates.show(name, OPERATOR).status for name in acknowledged if name}
        assert set(states.values()) <= {"confirmed", "rejected"}
        assert world.scalar("SELECT count(*) FROM memories") == world.scalar(
            "SELECT count(*) FROM memory_candidates WHERE status = 'confirmed'"
        )
        assert world.scalar(
            "SELECT count(*) FROM memories JOIN memory_candidates ON memory_candidates.memory_id = memories.id"
        ) == world.scalar("SELECT count(*) FROM memories")
        assert world.scalar("SELECT count(*) FROM candidate_texts WHERE title <> ''") == world.scalar(
            "SELECT count(*) FROM memory_candidates WHERE status = 'pending'"
        )
        assert world.scalar("PRAGMA integrity_check") == "ok"
    assert len(states) >= KILLS
    world.store.close()
