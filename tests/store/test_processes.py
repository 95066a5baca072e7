"""Several processes at one database, and processes that die."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from store.helpers import DRIVERS, open_store, raw, use_driver
from store.test_upgrade import DUMPS, TESTS, run

if TYPE_CHECKING:
    from pathlib import Path

WRITER = """
import sys, importlib
sys.path.insert(0, sys.argv[1])
from store.helpers import OPERATOR, Counted, keep, open_store, snapshot
from waybook.base.errors import ConflictError
from waybook.instructions.ledger import LedgerService
from waybook.sessions.service import RunService
from waybook.store import engine
module = importlib.import_module(sys.argv[2])
engine.load_driver = lambda: module
number = int(sys.argv[4])
store = open_store(sys.argv[3], ids=Counted(number * 1000))
runs, ledger = RunService(store, mask=keep), LedgerService(store, mask=keep)
sys.stdin.readline()
won = 0
for step in range(12):
    mine = snapshot({"AGENTS.md": f"{number} {step}\\n"})
    runs.create_run("/shared", f"{number} {step}", "code", ".", mine, OPERATOR)
    common = [item for item in runs.list_runs("demo") if item.goal == "review the parser"][0]
    try:
        ledger.confirm(common.id, common.fingerprint, mine.fingerprint, lambda root, target: mine, OPERATOR)
        won += 1
    except ConflictError as error:
        assert error.code == "pin-changed", error.code
print(won)
store.close()
"""


@pytest.mark.parametrize("driver_name", DRIVERS)
def test_four_processes_write_at_once(tmp_path: Path, driver_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every creation is there; of confirmations of one pin exactly one wins, the others are conflicts; none is lost."""
    from store.helpers import restore

    use_driver(driver_name, monkeypatch)
    path = tmp_path / "x.db"
    restore(DUMPS / "schema-1.sql", path)
    if driver_name != "sqlite3":
        raw(path, "PRAGMA journal_mode=WAL")
    (before,) = raw(path, "SELECT count(*) FROM run_instruction_snapshots")[0]
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(TESTS), driver_name, str(path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(1, 5)
    ]
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("\n")
        writer.stdin.flush()
    answers = [writer.communicate(timeout=100) for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 4, answers
    won = sum(int(out) for out, _ in answers)
    assert won >= 12
    assert raw(path, "SELECT count(*) FROM workspaces WHERE root_path = '/shared'") == [(1,)]
    assert raw(path, "SELECT count(DISTINCT goal) FROM missions WHERE goal LIKE '_ %'") == [(48,)]
    assert raw(path, "SELECT count(*) FROM run_instruction_snapshots") == [(before + 48 + won,)]
    assert raw(path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize("driver_name", DRIVERS)
def test_kill_during_confirm(tmp_path: Path, driver_name: str) -> None:
    """Killed at any statement or moment, a confirmation is there whole or not at all, and the next one works."""
    output = run(str(TESTS / "store" / "kill_confirm.py"), driver_name, tmp_path / "db", DUMPS / "schema-1.sql")
    counts = ast.literal_eval(output)
    assert set(counts) >= {"acknowledged", "partly", "not at all"}, "the kills missed the interesting moments"
    assert sum(counts.values()) > 90


def test_a_program_that_holds_the_lock_and_dies(tmp_path: Path, driver: str) -> None:
    """Its lock goes with it; the next writer goes on without waiting for the time limit."""
    path = str(tmp_path / "x.db")
    open_store(path).close()
    code = (
        f"import sys; sys.path.insert(0, {str(TESTS)!r})\n"
        "import importlib, os, signal\n"
        "from store.helpers import open_store\n"
        "from waybook.store import engine\n"
        f"module = importlib.import_module({driver!r}); engine.load_driver = lambda: module\n"
        f"with open_store({path!r}).write() as connection:\n"
        "    connection.exec_driver_sql(\"INSERT INTO workspaces VALUES ('a', '/a', 'a', 'now')\")\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    store = open_store(path, seconds=1)
    with store.write() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM workspaces").scalar_one() == 0
    store.close()
