"""Physical deletion: after it, no file that Waybook keeps holds the bytes.

`secure_delete` zeroes what is deleted inside the database, but three places keep copies: the write-ahead log, the backups
that migrations leave, and the unused middle of pages that SQLite rebalanced (measured with 3.40 and 3.53). The first two
are emptied and removed here. The third is avoided by tables that only grow at their end and blank their texts in place
(`memory_texts`); for every other table the database is rewritten as a whole (`rewrite`).

What is still to be done is written in the database itself, in the transaction that deletes: `user_version` is a counter
that only grows, times four, plus what is owed. So a crash forgets nothing, and whoever writes next finishes it.
"""

from __future__ import annotations

import os
import re
from contextlib import closing
from typing import TYPE_CHECKING, Any

from waybook.store import engine as sqlite
from waybook.store.failures import is_busy

if TYPE_CHECKING:
    from sqlalchemy import Connection

NOTHING, LOG, REWRITE = 0, 1, 2
"""What is owed: nothing; emptying the log; that after rewriting the whole database."""
TEXT_SINCE = 2
"""The first schema with texts that can be deleted; backups of older ones stay."""
WAIT_SECONDS = 0.05
"""How long the writer that deleted waits for readers; others do not wait."""
_BACKUP = re.compile(r"\.schema-(\d+)\.[^.]+\.backup(?:\.unfinished)?")
_WRAP = 1 << 30


def mark(connection: Connection, *, rewrite: bool = False) -> None:
    """Within the transaction that deletes or replaces text: erasing its copies is owed from its commit on.

    `rewrite`: the text lay in a table whose rows move, so the database is written anew.
    """
    value = state(connection)
    wanted = max(REWRITE if rewrite else LOG, value % 4)
    connection.exec_driver_sql(f"PRAGMA user_version={_next(value) + wanted}")


def state(connection: Connection) -> int:
    """The counter; what is owed is its remainder by four."""
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())


def _next(value: int) -> int:
    return (value // 4 + 1) % (_WRAP // 4) * 4


def finish(driver: Any, path: str, wait: float, *, rewrite: bool = False) -> bool:
    """Do what is owed; False while somebody's open transaction (in any process) stands in the way.

    `wait` is in seconds. Marks that others set meanwhile stay set.
    """
    with closing(sqlite.connect(driver, path, timeout=wait)) as connection:
        # The marks may be lost in a power cut, and are then made good again; what they stand for may not.
        value = _value(connection)
        try:
            done = sqlite.truncate_log(connection)
            if done and (rewrite or value % 4 == REWRITE):  # not while a reader would keep all of it in the log
                connection.execute("VACUUM").close()
                done = sqlite.truncate_log(connection)
            done = remove_backups(path) and done
            if done and value % 4:
                connection.execute("PRAGMA synchronous=NORMAL").close()
                done = _clear(connection, value)
        except driver.OperationalError as error:
            if not is_busy(error):
                raise
            return False
    return done


def _clear(connection: Any, value: int) -> bool:
    """Take the mark away unless somebody has set another one since; then that one is still owed."""
    connection.execute("BEGIN IMMEDIATE").close()
    try:
        same = _value(connection) == value
        if same:
            connection.execute(f"PRAGMA user_version={_next(value)}").close()
        connection.execute("COMMIT").close()
    except BaseException:
        connection.rollback()
        raise
    return same


def _value(connection: Any) -> int:
    with closing(connection.execute("PRAGMA user_version")) as cursor:
        return int(cursor.fetchone()[0])


def remove_backups(path: str) -> bool:
    """Remove the migration backups that may hold deleted text; False when one cannot be removed now."""
    folder, base = os.path.split(path)
    removed = True
    for entry in os.listdir(folder):
        found = _BACKUP.fullmatch(entry[len(base) :]) if entry.startswith(base) else None
        if found is None or int(found[1]) < TEXT_SINCE:
            continue
        try:
            os.unlink(os.path.join(folder, entry))
        except FileNotFoundError:
            continue
        except OSError:
            removed = False
    return removed
