"""The SQLite engine: with `failures.py` and the triggers in `migrations/`, all that is peculiar to SQLite.

Drivers: `pysqlite3` where it can be imported (its wheel brings a recent SQLite), else the standard module.
Transactions: the driver's own are switched off; every transaction begins here, as BEGIN (reads, query_only) or
BEGIN IMMEDIATE (writes), so a writer never has to upgrade a read lock.
"""

from __future__ import annotations

import os
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from waybook.base.errors import StoreError
from waybook.store.failures import busy, is_busy

if TYPE_CHECKING:
    from collections.abc import Callable

Version = tuple[int, int, int]
T = TypeVar("T")

BUSY_SECONDS = 5.0
"""How long SQLite waits for a lock before one try counts as failed."""
LIMIT_SECONDS = 60.0
"""How long a transaction is tried in all before the caller is told `busy`."""
APPLICATION_ID = 0x57617962
"""`Wayb`: marks a file as Waybook's in its SQLite header."""
STRICT_SINCE: Version = (3, 37, 0)
WRITE = "waybook_write"

# sqlite.org/wal.html: the WAL-reset fault can damage a database that two connections write and checkpoint at once;
# mended in 3.51.3, and for the older branches in 3.50.7 and 3.44.6.
_MENDED: Version = (3, 51, 3)
_MENDED_BRANCHES: dict[tuple[int, int], int] = {(3, 50): 7, (3, 44): 6}


def load_driver() -> Any:
    """The DB-API module in use."""
    try:
        return import_module("pysqlite3.dbapi2")
    except ImportError:
        return import_module("sqlite3")


def has_wal_reset_fault(version: Version) -> bool:
    """Whether this SQLite must not run with a write-ahead log."""
    return version < _MENDED and version[2] < _MENDED_BRANCHES.get(version[:2], version[2] + 1)


def connect(driver: Any, path: str, *, mode: str = "rw", timeout: float = BUSY_SECONDS) -> Any:
    """A raw connection to an existing file (`mode` rw or ro), in autocommit, with the safety switches set."""
    connection = driver.connect(
        f"{Path(path).as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        for switch in (
            "foreign_keys=ON",
            "secure_delete=ON",  # deleted text is overwritten with zeros
            "synchronous=FULL",  # an acknowledged write survives a power cut
            "temp_store=MEMORY",  # no text in temporary files
            "trusted_schema=OFF",
            "cell_size_check=ON",
        ):
            connection.execute(f"PRAGMA {switch}").close()
    except BaseException:
        connection.close()
        raise
    return connection


def make_engine(driver: Any, path: str) -> Engine:
    """An engine whose transactions are reads, or writes where the connection has the execution option `WRITE`."""
    engine = create_engine(
        URL.create("sqlite", database=path),
        module=driver,
        creator=lambda: connect(driver, path),
        poolclass=QueuePool,
        pool_size=4,
        max_overflow=-1,
        hide_parameters=True,  # error texts never carry what people store
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        write = bool(connection.get_execution_options().get(WRITE))
        connection.exec_driver_sql(f"PRAGMA query_only={'OFF' if write else 'ON'}")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


def patiently(action: Callable[[], T], path: str, seconds: float = LIMIT_SECONDS) -> T:
    """Do a thing again while others hold the lock, up to the limit in seconds; then `StoreError` busy."""
    end = time.monotonic() + seconds
    while True:
        try:
            return action()
        except Exception as error:
            if not is_busy(error):
                raise
            if time.monotonic() >= end:
                raise busy(path, seconds) from error
        # Some busy answers come at once (a recovering log, a journal mode change): never spin.
        time.sleep(0.02)


def settle_journal(driver: Any, path: str, seconds: float = LIMIT_SECONDS) -> None:
    """Give a new database the journal this SQLite runs well with, and take an unfit one from an old database.

    A log is switched on only while the database is empty: later, a program with an older SQLite may have it open.
    """
    faulty = has_wal_reset_fault(driver.sqlite_version_info)
    connection = connect(driver, path, timeout=0.2)
    try:
        mode = patiently(lambda: _scalar(connection, "PRAGMA journal_mode"), path, seconds)
        if faulty and mode == "wal":
            mode = patiently(lambda: _scalar(connection, "PRAGMA journal_mode=DELETE"), path, seconds)
            if mode == "wal":
                raise busy(path, seconds)
        elif not faulty and mode != "wal" and _scalar(connection, "PRAGMA page_count") == 0:
            patiently(lambda: _scalar(connection, "PRAGMA journal_mode=WAL"), path, seconds)
    finally:
        connection.close()


def _scalar(connection: Any, statement: str) -> Any:
    cursor = connection.execute(statement)
    try:
        return cursor.fetchone()[0]
    finally:
        cursor.close()


def table_names(connection: Connection) -> frozenset[str]:
    """The tables of the open database."""
    rows = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
    return frozenset(name for (name,) in rows if not name.startswith("sqlite_"))


def application_id(connection: Connection) -> int:
    """Whose file this is, as its header says; 0 when nobody said."""
    return int(connection.exec_driver_sql("PRAGMA application_id").scalar_one())


def mark_as_ours(connection: Connection) -> None:
    """Write Waybook's mark into the header, within the caller's transaction."""
    connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")


def backup(driver: Any, source: str, destination: str) -> None:
    """Copy a database with SQLite's backup interface into an existing empty file and reach the disk."""
    origin = connect(driver, source, mode="ro")
    try:
        copy = connect(driver, destination)
        try:
            origin.backup(copy)
        finally:
            copy.close()
    finally:
        origin.close()


def truncate_log(connection: Any) -> bool:
    """Empty the write-ahead log; False while a reader or writer elsewhere still needs it."""
    cursor = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try:
        return bool(cursor.fetchone()[0] == 0)
    finally:
        cursor.close()


def journal_mode(connection: Connection) -> str:
    """`wal`, or `delete` for a rollback journal."""
    return str(connection.exec_driver_sql("PRAGMA journal_mode").scalar_one())


def require_strict(version: Version) -> None:
    """Refuse an SQLite that cannot read Waybook's tables."""
    if version < STRICT_SINCE:
        msg = f"SQLite {'.'.join(map(str, version))} is too old; Waybook needs {'.'.join(map(str, STRICT_SINCE))}."
        raise StoreError(
            msg,
            code="sqlite-too-old",
            hint=f"Use a newer Python{' or install pysqlite3' if os.name == 'posix' else ''}.",
        )
