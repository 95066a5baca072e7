"""Another program's SQLite database, as a private copy: its tables are read by name, nothing in it is run or changed."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waybook.store.engine import load_driver

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class ForeignDatabase:
    """Made by `opened`. Every method raises `OSError` for a damaged database."""

    def __init__(self, connection: Any, error: type[Exception]) -> None:
        self._connection = connection
        self._error = error

    def columns(self, table: str) -> frozenset[str]:
        """The columns of a table; empty where there is none of this name (a view counts as none)."""
        query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        if not list(self._rows(query, (table,))):
            return frozenset()
        return frozenset(row[1] for row in self._rows(f"PRAGMA table_info({_quoted(table)})", ()))

    def rows(
        self,
        table: str,
        columns: tuple[str, ...],
        *,
        equal: Mapping[str, Any] | None = None,
        least: Mapping[str, Any] | None = None,
        order: tuple[str, ...] = (),
    ) -> Iterator[tuple[Any, ...]]:
        """Rows of a table. `equal` and `least` (at least this much) narrow them, `order` names columns to sort by."""

        def named(column: str) -> str:
            # With its table, since SQLite takes a lone quoted name that is no column for a string.
            return f"{_quoted(table)}.{_quoted(column)}"

        rules = [f"{named(name)} = ?" for name in equal or {}] + [f"{named(name)} >= ?" for name in least or {}]
        query = f"SELECT {', '.join(map(named, columns))} FROM {_quoted(table)}"  # noqa: S608 - names are quoted
        if rules:
            query += f" WHERE {' AND '.join(rules)}"
        if order:
            query += f" ORDER BY {', '.join(map(named, order))}"
        yield from self._rows(query, (*(equal or {}).values(), *(least or {}).values()))

    def _rows(self, query: str, values: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        try:
            cursor = self._connection.execute(query, values)
            try:
                yield from cursor
            finally:
                cursor.close()
        except self._error as error:
            raise OSError(5, f"the database cannot be read ({error})") from error


@contextmanager
def opened(copy: str) -> Iterator[ForeignDatabase]:
    """Open a private copy; its write-ahead log beside it is taken in. Raises `OSError`."""
    driver = load_driver()
    try:
        connection = driver.connect(f"{Path(copy).as_uri()}?mode=rw", uri=True)
    except driver.Error as error:
        raise OSError(5, f"the database cannot be opened ({error})") from error
    try:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        try:
            for switch in ("trusted_schema=OFF", "cell_size_check=ON", "query_only=ON"):
                connection.execute(f"PRAGMA {switch}").close()
        except driver.Error as error:
            raise OSError(5, f"the database cannot be read ({error})") from error
        yield ForeignDatabase(connection, driver.Error)
    finally:
        connection.close()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
