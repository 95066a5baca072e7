"""Kill a migration everywhere; the database is always of the old or the new schema. Prints what was seen."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections import Counter
from pathlib import Path

import alembic.command  # noqa: F401 - loaded before forking, so that the deaths fall into the migration

from store.helpers import open_store, raw, restore
from store.kill_points import at_every_statement, at_random
from waybook.store import engine
from waybook.store.upgrade import Schema


def seen(path: Path) -> str:
    """The schema of the files as they lie there, and that they are sound."""
    tables = {name for (name,) in raw(path, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert raw(path, "PRAGMA integrity_check") == [("ok",)]
    if "alembic_version" not in tables:
        assert tables == set(), tables
        return "0"
    (version,) = raw(path, "SELECT version_num FROM alembic_version")[0]
    assert ("extra" in tables) == (version == "0002"), (tables, version)
    if version == "0002":
        assert raw(path, "SELECT count(*) FROM extra") == [(4000,)]
    return str(int(version))


def main(driver: str, start: str, folder: Path, schema: Schema, dump: Path) -> None:
    """`start`: `empty` or the schema of `dump`."""
    module = importlib.import_module(driver)
    engine.load_driver = lambda: module
    path = folder / "x.db"

    def work() -> None:
        open_store(str(path), schema=schema).close()

    counts: Counter[str] = Counter()
    for deaths in (at_every_statement(work), at_random(work, 25, 0.12)):
        while True:
            for file in folder.iterdir():
                file.unlink()
            if start != "empty":
                restore(dump, path)
            acknowledged = next(deaths, None)
            if acknowledged is None:
                break
            found = seen(path) if path.exists() else "0"
            assert found == str(schema.version) or not acknowledged
            counts[found] += 1
            work()
            assert seen(path) == str(schema.version)
            assert not list(folder.glob("*.unfinished"))
    sys.stdout.write(f"{dict(sorted(counts.items()))}\n")


if __name__ == "__main__":
    shutil.rmtree(sys.argv[3], ignore_errors=True)
    Path(sys.argv[3]).mkdir()
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Schema(int(sys.argv[4]), Path(sys.argv[5])), Path(sys.argv[6]))
