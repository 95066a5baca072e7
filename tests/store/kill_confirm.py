"""Kill confirmations and run creations everywhere; what was acknowledged is there, the rest is whole or absent."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from store.helpers import OPERATOR, Counted, Ticks, keep, open_store, raw, restore, snapshot
from store.kill_points import at_every_statement, at_random
from waybook.instructions.baseline import BaselineService, tree_fingerprint
from waybook.instructions.ledger import LedgerService
from waybook.sessions.service import RunService
from waybook.store import engine

if TYPE_CHECKING:
    from waybook.instructions.model import Snapshot
    from waybook.store.store import Store


class Round:
    """One confirmation of a run, one of a baseline and one creation, from the state as it is."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self) -> Store:
        return open_store(str(self.path), ids=Counted(self.count() * 10 + 1000), clock=Ticks())

    def count(self) -> int:
        """Runs, revisions and baselines in all: rises with each acknowledged piece of work."""
        tables = ("runs", "missions", "run_instruction_snapshots", "workspace_baselines", "baseline_snapshots")
        return sum(raw(self.path, f"SELECT count(*) FROM {table}")[0][0] for table in tables)

    def work(self) -> None:
        store = self.open()
        runs, ledger, baselines = (kind(store, mask=keep) for kind in (RunService, LedgerService, BaselineService))
        (run, *_) = [item for item in runs.list_runs() if item.goal == "review the parser"]
        fresh = snapshot({"AGENTS.md": f"version {run.revision}\n" + "text " * 3000})
        ledger.confirm(run.id, run.fingerprint, fresh.fingerprint, lambda _root, _target: fresh, OPERATOR)
        runs.create_run("/new/place", "goal", "code", ".", fresh, OPERATOR)
        before = baselines.newest(run.workspace_id)
        assert before is not None
        tree: dict[str, Snapshot] = {"": fresh, "a": fresh}
        mark = tree_fingerprint(dict.fromkeys(tree, fresh.fingerprint))
        baselines.confirm(run.workspace_id, before.tree_fingerprint, mark, lambda _root: tree, OPERATOR)
        store.close()

    def check(self) -> tuple[int, ...]:
        """Nothing half: every run has a mission and a pin, every baseline all its scopes, every chain is closed."""
        assert raw(self.path, "PRAGMA integrity_check") == [("ok",)]
        assert raw(self.path, "PRAGMA foreign_key_check") == []
        assert raw(self.path, "SELECT count(*) FROM runs")[0] == raw(self.path, "SELECT count(*) FROM missions")[0]
        without = "SELECT id FROM runs WHERE id NOT IN (SELECT run_id FROM run_instruction_snapshots)"
        assert raw(self.path, without) == []
        half = (
            "SELECT id FROM workspace_baselines b WHERE scope_count <> "
            "(SELECT count(*) FROM baseline_snapshots s WHERE s.baseline_id = b.id)"
        )
        assert raw(self.path, half) == []
        store = self.open()
        ledger, baselines = LedgerService(store, mask=keep), BaselineService(store, mask=keep)
        revisions, newest = 0, 0
        for run in RunService(store, mask=keep).list_runs():
            found = ledger.inspect(run.id, lambda _root, _target: snapshot({}))
            chain = [item.fingerprint for item in found.history]
            assert [item.previous_fingerprint for item in found.history] == ["", *chain[:-1]]
            revisions += len(chain)
            baseline = baselines.newest(run.workspace_id)
            newest += baseline.revision if baseline else 0
        store.close()
        return revisions, newest


def main(driver: str, folder: Path, dump: Path) -> None:
    module = importlib.import_module(driver)
    engine.load_driver = lambda: module
    folder.mkdir()
    path = folder / "x.db"
    restore(dump, path)
    rounds = Round(path)
    rounds.work()
    counts: Counter[str] = Counter()
    before = rounds.check()
    for deaths in (at_every_statement(rounds.work), at_random(rounds.work, 60, 0.08)):
        for acknowledged in deaths:
            after = rounds.check()
            assert after >= before, "what was acknowledged is gone"
            if acknowledged:
                assert after[0] >= before[0] + 2
                assert after[1] > before[1]
            counts["acknowledged" if acknowledged else "partly" if after > before else "not at all"] += 1
            before = after
    rounds.work()
    assert rounds.check() > before
    sys.stdout.write(f"{dict(counts)}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
