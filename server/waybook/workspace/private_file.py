"""Small files in the user's cache directory: private, replaced as a whole, and never missed when they are gone."""

from __future__ import annotations

import os
import stat
import tempfile

MAX_BYTES = 64 * 1024 * 1024
"""A larger file is not ours any more; it is read as absent."""
MOST_FILES = 200
"""Files kept in one directory; the ones unused for longest go first."""


def read_private(path: str) -> bytes | None:
    """The bytes of a file that nobody but this user may write; None for anything else, whatever the reason."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return None
    try:
        status = os.fstat(descriptor)
        own = not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)
        if not own or not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()
    except OSError:
        return None
    finally:
        os.close(descriptor)


def write_private(path: str, data: bytes) -> bool:
    """Replace a file as a whole, readable by its owner only; False when that is not possible. Old files beside it go."""
    directory = os.path.dirname(path)
    temporary = ""
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=directory, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
        _drop_oldest(directory)
    except OSError:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)
        return False
    return True


def _drop_oldest(directory: str) -> None:
    with os.scandir(directory) as entries:
        files = [(entry.stat(follow_symlinks=False).st_mtime_ns, entry.path) for entry in entries]
    for _, path in sorted(files)[:-MOST_FILES]:
        os.unlink(path)
