"""One of many programs that write to one store; run by test_processes.py. Prints what it did as JSON, line by line.

writer.py STORE NUMBER WRITES DRIVER: edits shared memories and memories of its own, always with the version it saw.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from memory.helpers import USER, draft
from store.helpers import open_store
from waybook.base.actor import Actor
from waybook.base.clock import SystemClock
from waybook.base.errors import ConflictError
from waybook.base.ids import SystemIds
from waybook.memory.model import Change
from waybook.memory.service import MemoryService
from waybook.store import engine


def say(*words: object) -> None:
    """One acknowledged fact, out before anything else happens."""
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def main(path: str, number: int, writes: int, driver: str) -> None:
    """Half of the writes aim at what everybody writes to, the rest at memories of its own."""
    module = importlib.import_module(driver)
    engine.load_driver = lambda: module
    memory = MemoryService(open_store(path, clock=SystemClock(), ids=SystemIds()))
    me, chance = Actor("operator", f"p{number}"), random.Random(number)
    shared = [item for item in memory.list([USER]).memories if item.title == "shared"]
    own: dict[str, int] = {}
    say("ready")
    sys.stdin.readline()
    for step in range(writes):
        text = f"process {number} step {step} " + "x" * chance.choice([10, 500, 5000])
        if step % 2:
            target = chance.choice(shared).id
            version = memory.show(target).version
            try:
                written = memory.edit(target, version, Change(content=text), me).memory
            except ConflictError:
                say("conflict", target, version)
            else:
                say("edited", target, written.version, text)
        elif not own or chance.random() < 0.4:
            kept = memory.create(draft(f"own {number}", text), me)
            own[kept.id] = 1
            say("created", kept.id, 1, text)
        elif chance.random() < 0.8:
            target = chance.choice(list(own))
            own[target] = memory.edit(target, own[target], Change(content=text), me).memory.version
            say("edited", target, own[target], text)
        else:
            target = chance.choice(list(own))
            memory.delete(target, own.pop(target), me)
            say("deleted", target, 0, "")
    say("end")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
