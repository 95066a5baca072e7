"""Two ways to open things below a root without following links: by descriptor, and by path where a platform lacks that.

Both offer the same few operations on a directory handle. Neither opens a pipe, socket or device, and neither follows a
link: descriptors ask the kernel (`dir_fd` + `O_NOFOLLOW`), paths compare `lstat` and the resolved path before and after.
"""

from __future__ import annotations

import os
import stat
from typing import Literal, Protocol, TypeVar

FileKind = Literal["missing", "file", "directory", "symlink", "special"]

_DIRECTORY = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_SEARCH = _DIRECTORY | getattr(os, "O_PATH", os.O_RDONLY)
_LIST = _DIRECTORY | os.O_RDONLY
_FILE = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
HAS_DESCRIPTORS = (
    hasattr(os, "O_NOFOLLOW")
    and hasattr(os, "O_DIRECTORY")
    and hasattr(os, "pread")
    and os.open in os.supports_dir_fd
    and os.stat in os.supports_dir_fd
    and os.readlink in os.supports_dir_fd
    and os.scandir in os.supports_fd
)
_REPARSE_POINT = 0x400

Handle = TypeVar("Handle")


class Opening(Protocol[Handle]):
    """What a `Guard` needs from the platform; every method raises the plain `OSError` of a failure."""

    def root(self, path: str) -> Handle:
        """Open the workspace root; no component of `path` may be a link."""
        ...

    def directory(self, parent: Handle, name: str) -> Handle:
        """Open a real directory; `NotADirectoryError` for anything else, links among it."""
        ...

    def close(self, handle: Handle) -> None:
        """Give a directory handle back."""
        ...

    def stat(self, parent: Handle, name: str) -> os.stat_result:
        """`lstat` of a name."""
        ...

    def file(self, parent: Handle, name: str) -> int:
        """A descriptor of a file that was just seen to be regular."""
        ...

    def entries(self, handle: Handle) -> list[tuple[str, FileKind]]:
        """The names in a directory, as the file system spells them, with what each is."""
        ...

    def link_target(self, parent: Handle, name: str) -> str:
        """The text of a symbolic link."""
        ...


class ByDescriptor:
    """Opens each component relative to its parent's descriptor; a swap on the way cannot lead elsewhere."""

    def root(self, path: str) -> int:
        """Walk down from `/`, following nothing.

        `O_PATH` asks for search permission only; without it the path is resolved and compared instead.
        """
        if not hasattr(os, "O_PATH"):
            _require_real_directory(path)
            return os.open(path, _SEARCH)
        handle = os.open("/", _SEARCH)
        try:
            for name in path.split("/"):
                if name:
                    below = os.open(name, _SEARCH, dir_fd=handle)
                    os.close(handle)
                    handle = below
        except OSError:
            os.close(handle)
            raise
        return handle

    def directory(self, parent: int, name: str) -> int:
        """Open one real directory below `parent`."""
        return os.open(name, _SEARCH, dir_fd=parent)

    def close(self, handle: int) -> None:
        """Close the descriptor."""
        os.close(handle)

    def stat(self, parent: int, name: str) -> os.stat_result:
        """`lstat` below `parent`."""
        return os.stat(name, dir_fd=parent, follow_symlinks=False)

    def file(self, parent: int, name: str) -> int:
        """Open a file below `parent`, never blocking and never following."""
        return os.open(name, _FILE, dir_fd=parent)

    def entries(self, handle: int) -> list[tuple[str, FileKind]]:
        """List a directory (a search-only descriptor is opened again for reading)."""
        readable = os.open(".", _LIST, dir_fd=handle)
        try:
            with os.scandir(readable) as found:
                return [(entry.name, _entry_kind(entry)) for entry in found]
        finally:
            os.close(readable)

    def link_target(self, parent: int, name: str) -> str:
        """Read a link below `parent`."""
        return os.readlink(name, dir_fd=parent)


class ByPath:
    """The same with absolute paths: each directory is checked by `lstat` and by resolving it."""

    def root(self, path: str) -> str:
        """Check the root; returns its path."""
        _require_real_directory(path)
        return path

    def directory(self, parent: str, name: str) -> str:
        """Check one directory below `parent`; returns its path."""
        path = os.path.join(parent, name)
        _require_real_directory(path)
        return path

    def close(self, handle: str) -> None:
        """Nothing is held open."""

    def stat(self, parent: str, name: str) -> os.stat_result:
        """`lstat` below `parent`."""
        return os.lstat(os.path.join(parent, name))

    def file(self, parent: str, name: str) -> int:
        """Open a file; the path must still resolve to itself afterwards."""
        path = os.path.join(parent, name)
        descriptor = os.open(path, _FILE)
        if not _same_path(os.path.realpath(path), path):
            os.close(descriptor)
            raise NotADirectoryError(20, "a directory on the way was replaced by a link", path)
        return descriptor

    def entries(self, handle: str) -> list[tuple[str, FileKind]]:
        """List a directory."""
        with os.scandir(handle) as found:
            return [(entry.name, _entry_kind(entry)) for entry in found]

    def link_target(self, parent: str, name: str) -> str:
        """Read a link."""
        return os.readlink(os.path.join(parent, name))


def is_link(status: os.stat_result) -> bool:
    """Whether an `lstat` result is a symbolic link or, on Windows, any other reparse point (a junction)."""
    if stat.S_ISLNK(status.st_mode):
        return True
    return bool(getattr(status, "st_file_attributes", 0) & _REPARSE_POINT)


def kind_of(status: os.stat_result) -> FileKind:
    """What an `lstat` result describes."""
    if is_link(status):
        return "symlink"
    if stat.S_ISREG(status.st_mode):
        return "file"
    return "directory" if stat.S_ISDIR(status.st_mode) else "special"


def _entry_kind(entry: os.DirEntry[str]) -> FileKind:
    if entry.is_symlink() or (os.name == "nt" and is_link(entry.stat(follow_symlinks=False))):
        return "symlink"
    if entry.is_dir(follow_symlinks=False):
        return "directory"
    return "file" if entry.is_file(follow_symlinks=False) else "special"


def _require_real_directory(path: str) -> None:
    status = os.lstat(path)
    if is_link(status) or not stat.S_ISDIR(status.st_mode) or not _same_path(os.path.realpath(path), path):
        raise NotADirectoryError(20, "not a real directory", path)


def _same_path(left: str, right: str) -> bool:
    return os.path.normcase(left) == os.path.normcase(right)
