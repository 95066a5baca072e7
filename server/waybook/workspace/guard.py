"""Race-safe reading below one workspace root, for one pass.

A pass is one answer (an explanation, a check run): what was read once is remembered until the guard is closed, so that
thousands of targets share their ancestors' reads. Every reader of instruction files goes through here.
"""

from __future__ import annotations

import os
import stat
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Self

from waybook.workspace import refusals
from waybook.workspace.opening import HAS_DESCRIPTORS, ByDescriptor, ByPath, FileKind, Opening, is_link, kind_of
from waybook.workspace.roots import bad_root, check_root

if TYPE_CHECKING:
    from types import TracebackType

    from waybook.base.errors import DiscoveryError

_MAX_HANDLES = 192
"""Directories held open at once: more than the deepest chain (32 levels and 32 of rules), far below usual limits."""


class Guard:
    """Reads below `root` without ever following a link; use it as a context manager, in one thread, for one pass.

    Paths are workspace-relative slash paths, already cleaned; "" is the root. Names are exact: on a file system that
    folds case, `agents.md` is not `AGENTS.md`. Failures are `DiscoveryError`s that name the path. `memo` is room for
    what callers derive from the files during this pass. `by_path=True` forces the way of platforms without `dir_fd`;
    `keep=True` keeps the bytes of every file read, for a second reader in the same pass, as long as the file looks the
    same. A guard that was left may be entered again.
    """

    def __init__(self, root: str, *, by_path: bool = not HAS_DESCRIPTORS, keep: bool = False) -> None:
        self.root = root
        self.memo: dict[Any, Any] = {}
        self._open: Opening[Any] = ByPath() if by_path else ByDescriptor()
        self._handles: OrderedDict[str, Any] = OrderedDict()
        self._missing: set[str] = set()
        self._exact: set[str] = set()
        self._kept: dict[str, tuple[tuple[int, ...], bytes]] | None = {} if keep else None
        self._root_handle: Any = None

    def __enter__(self) -> Self:
        """Open the root; `DiscoveryError` `bad-root` when it is no real directory."""
        if "\0" in self.root or not os.path.isabs(self.root) or os.path.normpath(self.root) != self.root:
            self.root = check_root(self.root)
        try:
            self._root_handle = self._open.root(self.root)
        except OSError as error:
            check_root(self.root)
            raise bad_root(self.root, f"it cannot be opened ({error.strerror or error})") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close every directory."""
        for handle in self._handles.values():
            self._open.close(handle)
        self._handles.clear()
        self._open.close(self._root_handle)
        self._root_handle = None

    def has_directory(self, path: str) -> bool:
        """Whether `path` is a real directory; False when it is missing. A link or a file there is refused."""
        return self._handle(path) is not None

    def has_folder(self, directory: str, name: str) -> bool:
        """The same for a sub-directory whose name must be spelled exactly so."""
        if directory not in self._exact:
            handle = self._handle(directory)
            if handle is None or self._status(handle, directory, name) is None:
                return False
        return self._handle(f"{directory}/{name}" if directory else name) is not None

    def kind(self, directory: str, name: str) -> FileKind:
        """What stands under exactly this name in an existing directory."""
        handle = self._handle(directory)
        if handle is None:
            return "missing"
        status = self._status(handle, directory, name)
        if status is None:
            return "missing"
        return kind_of(status)

    def link_target(self, directory: str, name: str) -> str:
        """The text of a symbolic link, "" when it cannot be read."""
        handle = self._handle(directory)
        if handle is None:
            return ""
        try:
            return self._open.link_target(handle, name)
        except OSError:
            return ""

    def names(self, directory: str) -> list[str]:
        """The names in a directory, sorted by code point; empty when it is missing."""
        return [name for name, _ in self.entries(directory)]

    def entries(self, directory: str) -> list[tuple[str, FileKind]]:
        """The names in a directory, sorted by code point, with what each is; empty when the directory is missing."""
        handle = self._handle(directory)
        if handle is None:
            return []
        try:
            return sorted(self._open.entries(handle))
        except OSError as error:
            raise refusals.unreadable(directory or ".", error) from error

    def read(self, directory: str, name: str, limit: int) -> bytes | None:
        """The bytes of a regular file of at most `limit` bytes; None when nothing stands under this name.

        Links, directories, pipes, sockets and devices are refused before opening, a longer file before reading. The
        status is compared before and after and the bytes are read twice: any difference is refused.
        """
        handle = self._handle(directory)
        status = None if handle is None else self._status(handle, directory, name)
        if status is None:
            return None
        path = f"{directory}/{name}" if directory else name
        if not stat.S_ISREG(status.st_mode) or is_link(status):
            raise self._not_plain(directory, name, status)
        if status.st_size > limit:
            raise refusals.too_large(path, status.st_size, limit)
        if self._kept is not None and (kept := self._kept.get(path)) is not None and kept[0] == _look(status):
            return kept[1]
        try:
            data = self._read_twice(handle, name, status)
        except PermissionError as error:
            raise refusals.unreadable(path, error) from error
        except OSError as error:
            # ENOENT, ELOOP, ENOTDIR, EAGAIN, ESPIPE, ENXIO: something else took the file's place after the look at it
            raise refusals.changed(path) from error
        if data is None:
            raise refusals.changed(path)
        if self._kept is not None:
            self._kept[path] = (_look(status), data)
        return data

    def _not_plain(self, directory: str, name: str, status: os.stat_result) -> DiscoveryError:
        path = f"{directory}/{name}" if directory else name
        if is_link(status):
            return refusals.linked_file(path, self.link_target(directory, name))
        return refusals.not_regular(path, status.st_mode)

    def _read_twice(self, handle: Any, name: str, before: os.stat_result) -> bytes | None:
        """The whole file; None when two readings, or the status before and after, differ in anything."""
        size = before.st_size
        descriptor = self._open.file(handle, name)
        try:
            first = _contents(descriptor, size)
            second = _contents(descriptor, size)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        same = (
            first == second
            and len(first) == size == after.st_size
            and after.st_ino == before.st_ino
            and after.st_mtime_ns == before.st_mtime_ns
            and after.st_mode == before.st_mode
            and after.st_dev == before.st_dev
        )
        return first if same else None

    def _handle(self, path: str) -> Any:
        """The open handle of a directory, None when missing; opens the parents that are not open any more."""
        if not path:
            return self._root_handle
        handle = self._handles.get(path)
        if handle is not None:
            self._handles.move_to_end(path)
            return handle
        if path in self._missing:
            return None
        parent, _, name = path.rpartition("/")
        above = self._handle(parent)
        if above is None:
            return None
        try:
            handle = self._open.directory(above, name)
        except FileNotFoundError:
            self._missing.add(path)
            return None
        except OSError as error:
            raise self._refused_directory(above, parent, name, error) from error
        self._handles[path] = handle
        if len(self._handles) > _MAX_HANDLES:
            self._open.close(self._handles.popitem(last=False)[1])
        return handle

    def _refused_directory(self, above: Any, parent: str, name: str, error: OSError) -> DiscoveryError:
        path = f"{parent}/{name}" if parent else name
        try:
            status = self._open.stat(above, name)
        except OSError:
            return refusals.unreadable(path, error)
        if is_link(status):
            return refusals.linked_directory(path, self.link_target(parent, name))
        if not stat.S_ISDIR(status.st_mode):
            return refusals.not_a_directory(path, status.st_mode)
        return refusals.unreadable(path, error)

    def _status(self, handle: Any, directory: str, name: str) -> os.stat_result | None:
        """`lstat` of an exactly spelled name, None when there is no such name."""
        try:
            status = self._open.stat(handle, name)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise refusals.unreadable(f"{directory}/{name}" if directory else name, error) from error
        if directory in self._exact or self._spelled_so(handle, directory, name, status):
            return status
        return None

    def _spelled_so(self, handle: Any, directory: str, name: str, status: os.stat_result) -> bool:
        """Whether the directory spells the name like this.

        Only where the name in another case leads to the same file is the directory listed; where it does not, the
        directory tells cases apart, which holds for the rest of the pass.
        """
        variant = name.swapcase()
        if variant == name:
            return True
        try:
            other = self._open.stat(handle, variant)
        except OSError:
            other = None
        if other is None or (other.st_ino, other.st_dev) != (status.st_ino, status.st_dev):
            self._exact.add(directory)
            return True
        return any(name == spelled for spelled, _ in self._open.entries(handle))


def _look(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


if hasattr(os, "pread"):

    def _contents(descriptor: int, size: int) -> bytes:
        """The whole file from its start, and one byte more than `size` if it has grown."""
        data = os.pread(descriptor, size + 1, 0)
        while 0 < len(data) < size and (more := os.pread(descriptor, size + 1, len(data))):
            data += more
        return data

else:

    def _contents(descriptor: int, size: int) -> bytes:
        """The whole file from its start, and one byte more than `size` if it has grown."""
        os.lseek(descriptor, 0, os.SEEK_SET)
        data = os.read(descriptor, size + 1)
        while 0 < len(data) < size and (more := os.read(descriptor, size + 1)):
            data += more
        return data
