"""Bring a database to this program's schema, in one transaction, after a backup.

The version is read with a plain query; Alembic is imported only when a migration is due. Whoever comes second waits for
the write lock and then finds the work done. A process killed in the middle leaves the old schema: SQLite rolls its
schema changes back like any others.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybook import __version__
from waybook.base.errors import StoreError
from waybook.store import engine as sqlite
from waybook.store.paths import create_private, os_failure

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from waybook.base.clock import Clock

KEPT_BACKUPS = 3


@dataclass(frozen=True, slots=True)
class Schema:
    """A line of migrations: the directory with Alembic's `env.py` and `versions/`, and the newest version in it."""

    version: int
    migrations: Path


CURRENT = Schema(7, Path(__file__).parent / "migrations")


def read_version(connection: Connection, path: str) -> int:
    """The schema version of an open database; 0 when it is empty. Raises `StoreError` for a stranger's database."""
    tables = sqlite.table_names(connection)
    if not tables:
        return 0
    if sqlite.application_id(connection) == sqlite.APPLICATION_ID and "alembic_version" in tables:
        numbers = list(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars())
        if len(numbers) == 1 and str(numbers[0]).isdecimal():
            return int(numbers[0])
    msg = f"{path} is a database of another program."
    raise StoreError(
        msg,
        code="store-foreign",
        path=path,
        hint="Nothing was changed. Name another store with --store or WAYBOOK_STORE.",
    )


def refuse_newer(found: int, schema: Schema, path: str) -> None:
    """Raise `StoreError` schema-newer when a later Waybook has migrated this database."""
    if found > schema.version:
        msg = f"{path} has schema {found}; this Waybook ({__version__}) knows schemas up to {schema.version}."
        raise StoreError(
            msg,
            code="schema-newer",
            path=path,
            limit=schema.version,
            hint="Update Waybook, or name another store with --store or WAYBOOK_STORE. Nothing was changed.",
            found=found,
        )


def migrate(connection: Connection, schema: Schema, path: str, driver: Any, clock: Clock) -> None:
    """Within the caller's write transaction: whatever is still missing. A database that has tables is backed up."""
    found = read_version(connection, path)
    refuse_newer(found, schema, path)
    if found == schema.version:
        return
    if found:
        _back_up(driver, path, found, clock)
    _run_alembic(connection, schema)
    sqlite.mark_as_ours(connection)


def _run_alembic(connection: Connection, schema: Schema) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(schema.migrations).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, f"{schema.version:04}")


def _back_up(driver: Any, path: str, version: int, clock: Clock) -> str:
    """Copy the database beside itself, complete or not at all (written under another name, then renamed)."""
    name = f"{path}.schema-{version}.{clock.now():%Y%m%dT%H%M%S%f}Z.backup"
    unfinished = f"{name}.unfinished"
    if not create_private(unfinished):
        os.truncate(unfinished, 0)
    try:
        sqlite.backup(driver, path, unfinished)
        os.replace(unfinished, name)
        _prune(path)
    except OSError as error:
        raise os_failure(error, name) from error
    return name


def _prune(path: str) -> None:
    """Keep the newest backups only: old ones hold text that was deleted since."""
    folder, base = os.path.split(path)
    backups = [entry for entry in os.listdir(folder) if entry.startswith(f"{base}.schema-") and ".backup" in entry]
    complete = sorted((entry for entry in backups if entry.endswith(".backup")), key=lambda entry: entry.split(".")[-2])
    for entry in (*complete[:-KEPT_BACKUPS], *(entry for entry in backups if entry.endswith(".unfinished"))):
        os.unlink(os.path.join(folder, entry))
