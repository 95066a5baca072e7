"""The index's own SQLite file: pieces by number, in FTS5 tables that keep no text. It may be deleted at any time.

Nothing of it is precious, so it is written without waiting for the disk; a file that cannot be read is made anew.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybook.recall.index.grams import pairs
from waybook.store import engine as sqlite
from waybook.store.failures import is_busy
from waybook.store.paths import Location, create_private, guard_files, prepare

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from waybook.recall.index.grams import Lookup
    from waybook.recall.index.repository import Piece

LAYOUT = "1"
"""Another layout is made anew."""
HASH_BYTES = 32 * 1024 * 1024
"""What SQLite gathers in memory before it writes a part of the index."""
_DELETING: tuple[int, int, int] = (3, 43, 0)
"""SQLite since when an FTS5 table without text can delete (sqlite.org/fts5.html, contentless_delete)."""
_TABLES = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE pieces (number INTEGER PRIMARY KEY, session_seq INTEGER NOT NULL, digest BLOB NOT NULL) STRICT;
    CREATE INDEX pieces_session ON pieces (session_seq);
    CREATE TABLE files (path TEXT PRIMARY KEY, mark TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE grams USING fts5(text, content='', detail=none, tokenize='trigram'{deleting});
    CREATE VIRTUAL TABLE pairs USING fts5(text, content='', detail=none, tokenize='unicode61 remove_diacritics 0'{deleting});
"""


class UnfitError(Exception):
    """The file cannot be used as it is: damaged, of another layout, or this SQLite has no trigrams."""


class IndexFile:
    """An open index. `can_delete` is False with an older SQLite: there, a deletion means to make the file anew."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._driver = sqlite.load_driver()
        self.can_delete = self._driver.sqlite_version_info >= _DELETING
        self._connection = self._open()

    @staticmethod
    def name(database: str) -> str:
        """The file's name for a database: one for SQLites that can delete, another for those that cannot."""
        from waybook.base.canonical import sha256_hex

        able = sqlite.load_driver().sqlite_version_info >= _DELETING
        return f"sessions-{sha256_hex(database)[:32]}{'' if able else '-plain'}.db"

    def _open(self) -> Any:
        location = Location(self.path, owns_directory=True)
        prepare(location)
        create_private(self.path)
        try:
            connection = sqlite.connect(self._driver, self.path)
        except self._driver.Error as error:
            raise self._unfit(error) from error
        try:
            for switch in (
                "synchronous=OFF",
                "secure_delete=OFF",
                "journal_mode=DELETE",
                "temp_store=FILE",
                "cache_size=-32000",
            ):
                connection.execute(f"PRAGMA {switch}").close()
            self._make(connection)
        except self._driver.Error as error:
            connection.close()
            raise self._unfit(error) from error
        except BaseException:
            connection.close()
            raise
        guard_files(self.path)
        return connection

    def _make(self, connection: Any) -> None:
        rows = list(connection.execute("SELECT name FROM sqlite_master WHERE name = 'meta'"))
        if not rows:
            connection.execute("BEGIN IMMEDIATE").close()
            try:
                if not list(connection.execute("SELECT name FROM sqlite_master WHERE name = 'meta'")):
                    deleting = ", contentless_delete=1" if self.can_delete else ""
                    for statement in _TABLES.format(deleting=deleting).split(";"):
                        connection.execute(statement).close()
                    connection.execute("INSERT INTO meta VALUES ('layout', ?)", (LAYOUT,)).close()
                    # Fewer, larger pieces on the disk: twice as fast to write, and less to merge.
                    connection.execute("INSERT INTO grams (grams, rank) VALUES ('hashsize', ?)", (HASH_BYTES,)).close()
                connection.execute("COMMIT").close()
            except BaseException:
                connection.rollback()
                raise
        found = list(connection.execute("SELECT value FROM meta WHERE key = 'layout'"))
        if found != [(LAYOUT,)]:
            raise UnfitError("another layout")

    def _unfit(self, error: Exception) -> Exception:
        return error if is_busy(error) else UnfitError(str(error))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    # --- reading ------------------------------------------------------------------------------------------------------

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        try:
            cursor = self._connection.execute(query, values)
            try:
                yield from cursor
            finally:
                cursor.close()
        except self._driver.Error as error:
            raise self._unfit(error) from error

    def value(self, key: str) -> str:
        """A remembered value; empty for none."""
        return next((value for (value,) in self._rows("SELECT value FROM meta WHERE key = ?", (key,))), "")

    def files(self) -> dict[str, str]:
        """How far each transcript was when it was indexed."""
        return dict(self._rows("SELECT path, mark FROM files"))

    def sessions(self) -> set[int]:
        """The sessions of which something is indexed."""
        return {seq for (seq,) in self._rows("SELECT DISTINCT session_seq FROM pieces")}

    def digests(self, session_seq: int) -> dict[int, bytes]:
        """What is indexed of a session: digests by number."""
        return dict(self._rows("SELECT number, digest FROM pieces WHERE session_seq = ?", (session_seq,)))

    def numbers(self, lookup: Lookup) -> Iterator[int]:
        """The numbers whose texts have every piece of a lookup, newest first."""
        query = f"SELECT rowid FROM {lookup.table} WHERE {lookup.table} MATCH ? ORDER BY rowid DESC"  # noqa: S608 - two names
        for (number,) in self._rows(query, (lookup.expression(),)):
            yield number

    # --- writing ------------------------------------------------------------------------------------------------------

    def write(
        self,
        added: Iterable[tuple[Piece, str]],
        removed: Iterable[int],
        *,
        values: Mapping[str, str],
        files: Mapping[str, str] | None = None,
    ) -> None:
        """One batch, at once: pieces (each with its folded text), numbers to remove, and values to remember."""
        connection = self._connection
        try:
            connection.execute("BEGIN IMMEDIATE").close()
            try:
                for number in removed:
                    for table, column in (("grams", "rowid"), ("pairs", "rowid"), ("pieces", "number")):
                        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,)).close()  # noqa: S608 - fixed names
                self._add(list(added))
                for key, value in values.items():
                    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value)).close()
                if files is not None:
                    connection.execute("DELETE FROM files").close()
                    connection.executemany("INSERT INTO files VALUES (?, ?)", list(files.items())).close()
                connection.execute("COMMIT").close()
            except BaseException:
                connection.rollback()
                raise
        except self._driver.Error as error:
            raise self._unfit(error) from error

    def _add(self, added: list[tuple[Piece, str]]) -> None:
        """Pieces that no other program was faster with; one in which nothing is said has no text to look up."""
        have = self._have([piece.number for piece, _ in added])
        new = [(piece, folded) for piece, folded in added if piece.number not in have]
        many = self._connection.executemany
        rows = [(piece.number, piece.session_seq, piece.digest()) for piece, _ in new]
        many("INSERT INTO pieces VALUES (?, ?, ?)", rows).close()
        texts = [(piece.number, folded) for piece, folded in new if folded.strip()]
        many("INSERT INTO grams (rowid, text) VALUES (?, ?)", texts).close()
        wide = [(number, two) for number, folded in texts if (two := pairs(folded))]
        many("INSERT INTO pairs (rowid, text) VALUES (?, ?)", wide).close()

    def _have(self, numbers: list[int]) -> set[int]:
        query = "SELECT number FROM pieces WHERE number BETWEEN ? AND ?"
        return {number for (number,) in self._rows(query, (min(numbers), max(numbers)))} if numbers else set()

    def wipe(self) -> None:
        """Write the file anew without what was deleted, and take the place of the old one."""
        fresh = f"{self.path}.new"
        try:
            for table in ("grams", "pairs"):
                self._connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')").close()  # noqa: S608 - fixed names
            discard(fresh)
            create_private(fresh)
            self._connection.execute("VACUUM INTO ?", (fresh,)).close()
        except self._driver.Error as error:
            raise self._unfit(error) from error
        self._connection.close()
        os.replace(fresh, self.path)  # noqa: PTH105 - both are plain texts
        self._connection = self._open()


def discard(path: str) -> None:
    """Remove an index file and what SQLite may have left beside it."""
    for name in (path, f"{path}-journal", f"{path}-wal", f"{path}-shm"):
        Path(name).unlink(missing_ok=True)
