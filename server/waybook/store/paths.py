"""Where the database lies, and that nobody else can read it: directory 0700, files 0600, no links.

Only `lstat`, `chmod` and exclusive creation are used on the database file: opening and closing it beside SQLite would
drop SQLite's POSIX locks of this process.
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass

from waybook.base.errors import StoreError, UsageError

FILE_NAME = "waybook.db"
SIDE_FILES = ("-journal", "-wal", "-shm")
_OTHERS = 0o077
_POSIX = os.name == "posix"


@dataclass(frozen=True, slots=True)
class Location:
    """The database's absolute path. `owns_directory`: the directory is Waybook's own, so its mode is kept at 0700."""

    path: str
    owns_directory: bool = False


def locate(store: str = "", data_dir: str = "") -> Location:
    """The location that the settings `store` (URL or path, may be empty) and `data_dir` (may be empty) mean.

    Raises `StoreError` for a database that Waybook does not speak and `UsageError` for a URL that cannot be meant.
    """
    if store:
        return Location(_absolute(_path_of(store)))
    if data_dir:
        return Location(os.path.join(_absolute(data_dir), FILE_NAME), owns_directory=True)
    from platformdirs import user_data_path

    return Location(str(user_data_path("waybook", appauthor=False) / FILE_NAME), owns_directory=True)


def _absolute(path: str) -> str:
    if "\0" in path:
        raise UsageError("A path holds no NUL.", code="bad-path")
    return os.path.abspath(os.path.expanduser(path))


def _path_of(store: str) -> str:
    scheme, separator, rest = store.partition("://")
    if not separator:
        path = store
    elif scheme.partition("+")[0].casefold() != "sqlite":
        # The URL itself may hold a password, so only its scheme is named.
        msg = f"Waybook cannot use a {scheme} database yet."
        raise StoreError(
            msg,
            code="store-unsupported",
            hint="Give a path or a sqlite:/// URL as the store.",
        )
    else:
        host, _, path = rest.partition("/")
        if host or "?" in path:
            raise UsageError(
                "A store URL is sqlite:///PATH, without a host and without options.",
                code="bad-store-url",
                hint="An absolute path takes four slashes: sqlite:////home/me/waybook.db",
            )
    if not path or path == ":memory:":
        raise UsageError("The store is a file; a database in memory is of no use.", code="bad-store-url")
    return path


def prepare(location: Location) -> None:
    """Make the directory where it is missing, repair modes, and refuse links. Raises `StoreError`."""
    directory = os.path.dirname(location.path)
    try:
        if not os.path.isdir(directory):
            os.makedirs(os.path.dirname(directory) or directory, exist_ok=True)
            os.makedirs(directory, mode=0o700, exist_ok=True)
        if location.owns_directory:
            _guard_directory(directory)
        guard_files(location.path)
    except OSError as error:
        raise os_failure(error, directory) from error


def _guard_directory(directory: str) -> None:
    if stat.S_ISLNK(os.lstat(directory).st_mode):
        raise _link(directory, "data directory")
    if not _POSIX:
        return
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.fstat(descriptor).st_mode & _OTHERS:
            os.fchmod(descriptor, 0o700)
    finally:
        os.close(descriptor)


def guard_files(path: str) -> None:
    """The database and the files SQLite keeps beside it: regular files of mode 0600, or `StoreError`. May be missing."""
    for name in (path, *(path + suffix for suffix in SIDE_FILES)):
        try:
            mode = os.lstat(name).st_mode
        except FileNotFoundError:
            continue
        if stat.S_ISLNK(mode):
            raise _link(name, "database file")
        if not stat.S_ISREG(mode):
            msg = f"The database file {name} is not a regular file."
            raise StoreError(
                msg,
                code="store-not-a-file",
                path=name,
                hint="Move it away, or name another store with --store or WAYBOOK_STORE.",
            )
        if _POSIX and mode & _OTHERS:
            os.chmod(name, 0o600)


def create_private(path: str) -> bool:
    """Create an empty file of mode 0600; False when one is there already. Raises `StoreError`."""
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        os.close(os.open(path, flags, 0o600))
    except FileExistsError:
        return False
    except OSError as error:
        raise os_failure(error, path) from error
    return True


def _link(path: str, what: str) -> StoreError:
    return StoreError(
        f"The {what} {path} is a symbolic link; Waybook does not follow it.",
        code="store-link",
        path=path,
        hint="Name the real place with --store, WAYBOOK_STORE or WAYBOOK_DATA_DIR.",
    )


def os_failure(error: OSError, path: str) -> StoreError:
    """The operating system's refusal as a `StoreError` that says what to do."""
    name = error.filename if isinstance(error.filename, str) else path
    reason = error.strerror or type(error).__name__
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        code, hint = "store-permission", "Make it writable for you, or name another place with WAYBOOK_DATA_DIR."
    elif error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        code, hint = "store-full", "Free some space; nothing was written."
    else:
        code, hint = "store-io", "Check the path and the disk, or name another place with WAYBOOK_DATA_DIR."
    return StoreError(f"The store cannot use {name}: {reason}.", code=code, path=name, hint=hint)
