"""Write fixtures/databases/schema-N.sql for the current schema: run once, when a schema is released.

PYTHONPATH=tests python tests/store/make_dump.py
"""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from store.helpers import OPERATOR, keep, open_store, snapshot
from waybook.instructions.baseline import BaselineService
from waybook.instructions.ledger import LedgerService
from waybook.sessions.service import RunService
from waybook.store import engine
from waybook.store.upgrade import CURRENT

FOLDER = Path(__file__).parents[2] / "fixtures" / "databases"


def fill(path: str) -> None:
    """Two workspaces, three runs, one confirmed change, two baselines."""
    store = open_store(path)
    runs, ledger = RunService(store, mask=keep), LedgerService(store, mask=keep)
    first, second = (
        snapshot({"AGENTS.md": "root rules\n"}),
        snapshot({"AGENTS.md": "new rules\n", "CLAUDE.md": "注意\n"}),
    )
    run = runs.create_run("/home/ada/demo", "review the parser", "review", ".", first, OPERATOR)
    runs.create_run("/home/ada/demo", "write it anew", "code", ".", second, OPERATOR)
    runs.create_run("/srv/demo", "the same name", "code", "", first, OPERATOR)
    ledger.confirm(run.id, first.fingerprint, second.fingerprint, lambda _root, _target: second, OPERATOR)
    baselines = BaselineService(store, mask=keep)
    inner = snapshot({"AGENTS.md": "root rules\n", "internal/AGENTS.md": "inner\n"}, "internal", "internal")
    baselines.pin(run.workspace_id, {"": first, "internal": inner}, OPERATOR)
    baselines.pin(run.workspace_id, {"": second, "internal": inner}, OPERATOR)
    store.close()


def main() -> None:
    """Fill a database and dump it."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/x.db"
        fill(path)
        with closing(sqlite3.connect(path)) as connection:
            lines = [f"PRAGMA application_id={engine.APPLICATION_ID};", *connection.iterdump()]
    (FOLDER / f"schema-{CURRENT.version}.sql").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
