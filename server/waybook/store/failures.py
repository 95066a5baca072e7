"""What SQLite reports, as errors that name the file and the next step."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from waybook.base.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

# SQLite's primary result codes (sqlite.org/rescode.html); an extended code keeps them in its low byte.
BUSY, LOCKED = 5, 6
_CORRUPT, _NOT_A_DATABASE, _CONSTRAINT = 11, 26, 19
_ELSEWHERE = "or name another place with --store or WAYBOOK_DATA_DIR."
_TEXTS = {
    3: ("store-permission", "is not accessible", f"Make it readable and writable for you, {_ELSEWHERE}"),
    8: ("store-readonly", "cannot be written", f"Make the file and its directory writable for you, {_ELSEWHERE}"),
    10: ("store-io", "could not be read or written", "Check the disk and its free space; nothing was saved."),
    13: ("store-full", "could not grow: the disk is full", "Free some space and try again; nothing was saved."),
    14: ("store-unopenable", "cannot be opened", f"Check that its directory is there and writable, {_ELSEWHERE}"),
    _CORRUPT: (
        "store-damaged",
        "is damaged",
        "Nothing was changed. Put back a backup that lies beside it, or rescue it with: sqlite3 FILE .recover",
    ),
    _NOT_A_DATABASE: (
        "store-damaged",
        "is not a database, or its beginning is damaged",
        f"Nothing was changed. Move it away and put back a backup that lies beside it, {_ELSEWHERE}",
    ),
}
_BY_MESSAGE = (
    ("database is locked", BUSY),
    ("table is locked", LOCKED),
    ("readonly database", 8),
    ("disk i/o error", 10),
    ("malformed", _CORRUPT),
    ("database or disk is full", 13),
    ("unable to open", 14),
    ("not a database", _NOT_A_DATABASE),
)


def result_code(error: BaseException) -> int:
    """SQLite's primary result code behind an error of a driver or of SQLAlchemy; 0 when there is none."""
    original = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(original, "sqlite_errorcode", None)
    if isinstance(code, int):
        return code & 0xFF
    text = str(original).casefold()
    return next((number for words, number in _BY_MESSAGE if words in text), 0)


def is_busy(error: BaseException) -> bool:
    """Whether another connection held a lock for longer than the busy timeout."""
    return result_code(error) in {BUSY, LOCKED}


def busy(path: str, seconds: float) -> StoreError:
    """Others kept the database locked for the whole time limit (seconds)."""
    return StoreError(
        f"The store {path} was in use by another program for more than {seconds:g} seconds.",
        code="busy",
        path=path,
        limit=int(seconds),
        hint="Nothing was written. Close what holds it (`waybook doctor` shows the path), then try again.",
    )


@contextmanager
def translated(path: str, driver_error: type[Exception], seconds: float) -> Iterator[None]:
    """Turn database failures inside the block into `StoreError`; a broken constraint stays what it is: a bug."""
    try:
        yield
    except (DBAPIError, driver_error) as error:
        code = result_code(error)
        if code in {BUSY, LOCKED}:
            raise busy(path, seconds) from error
        if code not in _TEXTS:
            raise
        name, what, hint = _TEXTS[code]
        msg = f"The store {path} {what}."
        raise StoreError(msg, code=name, path=path, hint=hint.replace("FILE", path)) from error
