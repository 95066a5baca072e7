"""Kill checkpoints, forks and resumes everywhere; what was acknowledged is there, and nothing is half. Run by the tests."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path

from continuity.world import OPERATOR, World
from store.helpers import Counted, open_store, raw
from store.kill_points import at_every_statement, at_random
from waybook.store import engine

TABLES = (
    "missions", "runs", "run_instruction_snapshots", "sessions", "messages", "continuity_nodes", "continuity_messages",
    "continuity_memory_sets", "continuity_memory_references",
)  # fmt: skip


class Round:
    """A message, a checkpoint, a fork and a resume, from the state as it is."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path = path
        self.root = root

    def world(self) -> World:
        ids = Counted(sum(raw(self.path, f"SELECT count(*) FROM {table}")[0][0] for table in TABLES) * 10 + 1000)
        return World(open_store(str(self.path), ids=ids), self.root)

    def work(self) -> None:
        world = self.world()
        run = world.runs.list_runs()[-1]
        world.say(run.id, f"message {world.scalar('SELECT count(*) FROM messages')}")
        world.memory(f"Rule {world.scalar('SELECT count(*) FROM memories')}.")
        node = world.continuity.checkpoint(run.id, OPERATOR)
        branch = world.continuity.fork(node.id, OPERATOR)
        world.continuity.resume(branch.node.id, OPERATOR)
        world.store.close()

    def check(self) -> tuple[int, ...]:
        """Every forked run has mission, pin, session, its whole history and its marker; every node can be used."""
        assert raw(self.path, "PRAGMA integrity_check") == [("ok",)]
        assert raw(self.path, "PRAGMA foreign_key_check") == []
        one_each = (
            "SELECT r.id FROM runs r WHERE r.profile = 'default' AND NOT ("
            "(SELECT count(*) FROM missions m WHERE m.id = r.mission_id) = 1"
            " AND (SELECT count(*) FROM run_instruction_snapshots s WHERE s.run_id = r.id) = 1"
            " AND (SELECT count(*) FROM sessions s WHERE s.run_id = r.id) = 1"
            " AND (SELECT count(*) FROM continuity_nodes n WHERE n.run_id = r.id AND kind IN ('fork', 'resume')) = 1)"
        )
        assert raw(self.path, one_each) == []
        half = "SELECT id FROM sessions s WHERE inherited <> (SELECT count(*) FROM messages WHERE session_seq = s.seq AND inherited)"
        assert raw(self.path, half) == []
        sets = (
            "SELECT seq FROM continuity_memory_sets s WHERE size <> "
            "(SELECT count(*) FROM continuity_memory_references WHERE set_seq = s.seq)"
        )
        assert raw(self.path, sets) == []
        world = self.world()
        for (name,) in raw(self.path, "SELECT id FROM continuity_nodes ORDER BY seq DESC LIMIT 20"):
            world.continuity.node(name)
        world.store.close()
        kinds = Counter(kind for (kind,) in raw(self.path, "SELECT kind FROM continuity_nodes"))
        return kinds["checkpoint"], kinds["fork"], kinds["resume"]


def main(driver: str, folder: Path) -> None:
    module = importlib.import_module(driver)
    engine.load_driver = lambda: module
    folder.mkdir()
    path = folder / "x.db"
    store = open_store(str(path))
    World(store, folder / "ws").run()
    store.close()
    rounds = Round(path, folder / "ws")
    rounds.work()
    counts: Counter[str] = Counter()
    before = rounds.check()
    for deaths in (at_every_statement(rounds.work), at_random(rounds.work, 30, 0.15)):
        for acknowledged in deaths:
            after = rounds.check()
            assert all(new >= old for new, old in zip(after, before, strict=True)), "what was acknowledged is gone"
            if acknowledged:
                assert [new - old for new, old in zip(after, before, strict=True)] == [1, 1, 1]
            counts["acknowledged" if acknowledged else "partly" if after > before else "not at all"] += 1
            before = after
    rounds.work()
    assert rounds.check() > before
    sys.stdout.write(f"{dict(counts)}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
