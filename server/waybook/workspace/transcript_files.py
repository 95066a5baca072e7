"""The reader of agents' own folders: streams lines, reads whole documents, copies databases. It never writes there.

Lines end at LF only (JSON Lines): U+2028, U+0085 and form feed inside a record split nothing. Only regular files are
opened, never waiting on a pipe. A database is copied with its write-ahead log to a private temporary place, since SQLite
itself would create or change files beside the original.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

CHUNK = 1 << 20
MAX_LINE_BYTES = 64 << 20
"""A longer line is passed over with a warning; the longest seen in real transcripts are tool results of some 30 MiB."""
MAX_DOCUMENT_BYTES = 256 << 20
"""A JSON document larger than this is not read: it has to be held in memory as a whole."""
EDGE_BYTES = 4096
"""How much of both ends of what was read is remembered as a digest, to tell a longer file from another one."""
_COPY_TRIES = 5


@dataclass(frozen=True, slots=True)
class Mark:
    """What tells one state of a file from another: device, inode, size in bytes, modification time in nanoseconds."""

    device: int
    inode: int
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end. `number` counts from 1; `end` is the offset after it, in bytes.

    `whole` is False for a last line that has no line end yet; `too_long` for one whose bytes were passed over.
    """

    number: int
    end: int
    data: bytes
    whole: bool = True
    too_long: bool = False


def mark(path: str) -> Mark | None:
    """The state of a regular file (links followed); None where there is none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Mark(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def names(path: str) -> tuple[tuple[str, bool], ...]:
    """(name, is a directory) of what a directory holds, sorted; empty where it cannot be listed."""
    try:
        with os.scandir(path) as entries:
            return tuple(sorted((entry.name, entry.is_dir()) for entry in entries))
    except (OSError, ValueError):
        return ()


def files_below(path: str, depth: int) -> Iterator[str]:
    """The paths of files below a directory, at most `depth` directories down, sorted within each."""
    for name, is_directory in names(path):
        full = os.path.join(path, name)
        if not is_directory:
            yield full
        elif depth > 0:
            yield from files_below(full, depth - 1)


def opened(path: str) -> BinaryIO:
    """A regular file for reading. Raises `OSError`, also for anything that is no regular file."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb", buffering=0)
    os.close(descriptor)
    raise OSError(22, "not a regular file", path)


@contextmanager
def stream(path: str) -> Iterator[BinaryIO]:
    """A file's bytes; what ends in `.zst` is unpacked on the way. Raises `OSError` (also for damaged packing)."""
    with opened(path) as file:
        if not path.endswith(".zst"):
            yield file
            return
        from waybook.workspace.packed import unpacked

        with unpacked(file) as plain:
            yield plain


def lines(file: BinaryIO, offset: int = 0, number: int = 0, limit: int = MAX_LINE_BYTES) -> Generator[Line, None, None]:
    """The lines from an offset on, the first of them numbered `number` + 1. Holds no more than one line and one chunk."""
    if offset:
        file.seek(offset)
    pending = bytearray()
    lost = False
    end = offset
    while chunk := file.read(CHUNK):
        start = 0
        while (stop := chunk.find(b"\n", start)) >= 0:
            number += 1
            size = len(pending) + stop - start
            end += stop + 1 - start
            if lost or size > limit:
                yield Line(number, end, b"", too_long=True)
            elif pending:
                pending += chunk[start:stop]
                data = bytes(pending)
                pending = bytearray()
                yield Line(number, end, data)
            else:
                yield Line(number, end, chunk[start:stop])
            pending = bytearray()
            lost = False
            start = stop + 1
        end += len(chunk) - start
        if not lost:
            pending += chunk[start:]
            if len(pending) > limit:
                pending, lost = bytearray(), True
    if pending or lost:
        yield Line(number + 1, end, bytes(pending), whole=False, too_long=lost)


def edges(path: str, offset: int) -> str:
    """A digest of the first and the last bytes before an offset; empty where the file is shorter. Raises `OSError`."""
    if offset <= 0:
        return ""
    with opened(path) as file:
        head = file.read(min(EDGE_BYTES, offset)) or b""
        file.seek(max(0, offset - EDGE_BYTES))
        tail = file.read(min(EDGE_BYTES, offset)) or b""
    if len(head) + len(tail) < 2 * min(EDGE_BYTES, offset):
        return ""
    return hashlib.sha256(head + b"\0" + tail).hexdigest()


def document(path: str) -> bytes:
    """A whole file. Raises `OSError`, also when it is larger than `MAX_DOCUMENT_BYTES`."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_DOCUMENT_BYTES:
            raise OSError(27, f"larger than {MAX_DOCUMENT_BYTES:,} bytes", path)
        parts: list[bytes] = []
        left = MAX_DOCUMENT_BYTES
        while left > 0 and (part := file.read(min(left, CHUNK))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts)


def beginning(path: str, size: int) -> bytes:
    """The first bytes of a file, unpacked; empty where it cannot be read."""
    try:
        with stream(path) as file:
            return file.read(size) or b""
    except OSError:
        return b""


def ending(path: str, size: int) -> bytes:
    """The last bytes of a plain file; empty where it cannot be read or is packed."""
    if path.endswith(".zst"):
        return b""
    try:
        with opened(path) as file:
            whole = os.fstat(file.fileno()).st_size
            file.seek(max(0, whole - size))
            return file.read(size) or b""
    except OSError:
        return b""


@contextmanager
def copied_database(path: str) -> Iterator[str]:
    """A private copy of an SQLite database together with its write-ahead log; gone afterwards.

    The copy is taken again when the agent wrote meanwhile. Raises `OSError`.
    """
    folder = tempfile.mkdtemp(prefix="waybook-")
    try:
        target = os.path.join(folder, "copy.db")
        for _ in range(_COPY_TRIES):
            before = (mark(path), mark(path + "-wal"))
            _copy(path, target)
            with suppress(FileNotFoundError):
                os.unlink(target + "-wal")
            if before[1] is not None:
                with suppress(FileNotFoundError):
                    _copy(path + "-wal", target + "-wal")
            if before == (mark(path), mark(path + "-wal")):
                break
        yield target
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy(source: str, target: str) -> None:
    with opened(source) as origin, open(target, "wb") as copy:
        shutil.copyfileobj(origin, copy, CHUNK)
