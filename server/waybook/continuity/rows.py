"""Reading rows on the path that people wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waybook.store.store import Connection


def fetch(connection: Connection, statement: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """The rows of a reading statement, asked of the driver within the caller's transaction.

    A checkpoint is waited for: building statements and wrapping rows takes longer than running these.
    """
    cursor = connection.connection.cursor()
    try:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
    finally:
        cursor.close()
