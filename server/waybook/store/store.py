"""The one database of a user: opened once, read and written in short transactions from any thread."""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from waybook.base.errors import StoreError
from waybook.store import engine as sqlite
from waybook.store import erase, upgrade
from waybook.store.failures import busy, translated
from waybook.store.paths import Location, create_private, guard_files, locate, prepare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.base.clock import Clock
    from waybook.base.ids import IdSource

__all__ = ["Connection", "Store", "StoreStatus"]  # services name the connection's type without knowing SQLAlchemy


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """Facts for `waybook doctor`; `size` is the main file's in bytes.

    `erasure` is `pending` while copies of deleted text wait for another program to finish reading, else `done`.
    """

    path: str
    driver: str
    sqlite_version: str
    journal_mode: str
    schema_version: int
    size: int
    erasure: str


class Store:
    """Made by `Store.open`. Safe to use from several threads; one transaction of this process writes at a time.

    `clock` and `ids` are what the services that write here use.
    """

    def __init__(self, path: str, driver: Any, clock: Clock, ids: IdSource, seconds: float) -> None:
        self.path = path
        self.clock = clock
        self.ids = ids
        self._driver = driver
        self._seconds = seconds
        self._engine = sqlite.make_engine(driver, path)
        self._writing = threading.Lock()
        self._writer: int | None = None

    @classmethod
    def open(
        cls,
        where: str | Location = "",
        *,
        data_dir: str = "",
        clock: Clock,
        ids: IdSource,
        schema: upgrade.Schema = upgrade.CURRENT,
        seconds: float = sqlite.LIMIT_SECONDS,
    ) -> Store:
        """Open the database of a path, URL or `Location`; make or migrate it where that is due.

        An empty `where` means the database in `data_dir`, and an empty `data_dir` the platform's user data directory.
        `seconds`: how long a transaction may wait for others. Raises `StoreError` (codes `schema-newer`, `busy`,
        `store-damaged`, `store-foreign`, `store-link`, `store-permission`, ...); then nothing was changed.
        """
        location = where if isinstance(where, Location) else locate(where, data_dir)
        driver = sqlite.load_driver()
        sqlite.require_strict(driver.sqlite_version_info)
        prepare(location)
        create_private(location.path)
        store = cls(location.path, driver, clock, ids, seconds)
        try:
            store._settle(schema)
        except BaseException:
            store.close()
            raise
        return store

    def _settle(self, schema: upgrade.Schema) -> None:
        with self._translated():
            sqlite.settle_journal(self._driver, self.path, self._seconds)
        with self.read() as connection:
            found = upgrade.read_version(connection, self.path)
        upgrade.refuse_newer(found, schema, self.path)
        if found < schema.version:
            with self.write() as connection:
                upgrade.migrate(connection, schema, self.path, self._driver, self.clock)
        guard_files(self.path)

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self.path, self._driver.Error, self._seconds)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one consistent state and cannot write. Keep it short: a reader may delay a writer."""
        with self._translated(), self._engine.connect() as connection:
            transaction = sqlite.patiently(connection.begin, self.path, self._seconds)
            try:
                yield connection
            finally:
                transaction.rollback()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection that holds the write lock from its first statement; commits at the end, else rolls back.

        Waits for other writers; raises `StoreError` busy when they keep the lock for the whole time limit. Not to be
        nested: a second `write` of the same thread would wait for itself, so it is refused as a bug.
        After the commit, what is owed to deleted text (`store.erase`) is done, this writer's or an earlier one's.
        """
        if self._writer == threading.get_ident():
            raise RuntimeError("Store.write is not to be nested")
        if not self._writing.acquire(timeout=self._seconds):
            raise busy(self.path, self._seconds)
        self._writer = threading.get_ident()
        try:
            with self._translated(), self._engine.connect() as plain:
                connection = plain.execution_options(**{sqlite.WRITE: True})
                transaction = sqlite.patiently(connection.begin, self.path, self._seconds)
                try:
                    before = erase.state(connection)
                    yield connection
                    owed = erase.state(connection)
                    # With a rollback journal COMMIT waits for readers; the transaction stays open when it is told busy.
                    sqlite.patiently(lambda: connection.exec_driver_sql("COMMIT"), self.path, self._seconds)
                finally:
                    transaction.rollback()
        finally:
            self._writer = None
            self._writing.release()
        if owed % 4:
            # The write is done; what fails here stays owed, and `waybook doctor` shows it.
            with suppress(StoreError), self._translated():
                erase.finish(self._driver, self.path, erase.WAIT_SECONDS if owed != before else 0.0)

    def erase_residue(self, *, rewrite: bool = False) -> bool:
        """Drop the last copies of deleted text; False while an open transaction elsewhere stands in the way.

        A writer that marked its deletion (`store.erase.mark`) has done this already; a pending one is finished by the
        next writer or the next call. `rewrite`: also write the whole database anew.
        """
        with self._translated():
            return erase.finish(self._driver, self.path, sqlite.BUSY_SECONDS, rewrite=rewrite)

    def erasure_pending(self) -> bool:
        """Whether copies of deleted text may still lie in a file, because somebody's transaction stood in the way."""
        with self.read() as connection:
            return erase.state(connection) % 4 != erase.NOTHING

    def status(self) -> StoreStatus:
        """What the database is, for people."""
        with self.read() as connection:
            return StoreStatus(
                path=self.path,
                driver=self._driver.__name__.partition(".")[0],
                sqlite_version=self._driver.sqlite_version,
                journal_mode=sqlite.journal_mode(connection),
                schema_version=upgrade.read_version(connection, self.path),
                size=os.lstat(self.path).st_size,
                erasure="pending" if erase.state(connection) % 4 else "done",
            )

    def close(self) -> None:
        """Close every connection; open transactions of other threads are rolled back when they end."""
        self._engine.dispose()
