"""The reader that agents' rules use: it sees the disk as an agent's own process would.

Agents follow links, read the user's home and machine-wide files, and walk up to the file system's root, so the guarded
reader of the `.prayu` profile does not fit them. A `Box` maps absolute paths into a directory that stands for the file
system's root, remembers every look-up for one pass, never opens anything but regular files, and never writes.
"""

from __future__ import annotations

import os
import stat
from posixpath import normpath
from typing import Any

from waybook.base.clock import file_clock_ns
from waybook.workspace.marks import RACY_NANOSECONDS

MAX_FILE_BYTES = 8 * 1024 * 1024
"""No more than this is read of one file: twice the largest limit of any agent known."""

_MAX_DEPTH = 200
"""Directories above a file; what lies deeper counts as absent."""
_CHUNK = 1024 * 1024
_MAX_WALK = 20_000
"""Entries that one recursive walk visits before it stops."""


class Box:
    """The file system from `root` down, as seen once.

    Paths are absolute and use `/`; `/etc/x` means `<root>/etc/x`. Links are followed inside the box: an absolute target
    is taken as a path in the box, or, where it names the real place of the box, as the path that it has inside. A link
    that leads nowhere, in a circle or out of the box is as absent. What cannot be read is as absent too.

    One box serves one pass over any number of agents: what it has seen does not change while it lives. `memo` is room
    for what parts derive from files (parsed settings, compiled rules); `broken` holds the links met that lead to nothing.
    """

    __slots__ = (
        "_blank",
        "_born",
        "_bytes",
        "_folded",
        "_found",
        "_kinds",
        "_listings",
        "_marks",
        "_passed",
        "_prefix",
        "_stats",
        "_texts",
        "broken",
        "max_bytes",
        "memo",
    )

    def __init__(self, root: str = "/", *, max_bytes: int = MAX_FILE_BYTES) -> None:
        self._prefix = "" if root == "/" else os.path.realpath(root).rstrip("/")
        self.max_bytes = max_bytes
        self._born = file_clock_ns()
        self._marks: dict[str, tuple[int, ...]] = {}
        self._passed: dict[str, tuple[tuple[int, ...], int]] = {}
        self.memo: dict[Any, Any] = {}
        self._found: dict[str, tuple[str | None, str]] = {"/": ("/", "dir")}
        self._kinds: dict[str, str] = {}
        self.broken: set[str] = set()
        self._stats: dict[str, os.stat_result | None] = {}
        self._blank: dict[str, bool] = {}
        self._listings: dict[str, dict[str, str]] = {}
        self._folded: dict[str, dict[str, list[str]]] = {}
        self._bytes: dict[str, bytes | None] = {}
        self._texts: dict[str, str | None] = {}

    def unchanged(self) -> bool:
        """Whether nothing that this box has looked at looks different now, so that it may serve another pass.

        What was read, listed or followed must have changed last well before the box was made (see
        `workspace/marks.py`), and look as it did when this was asked before. Of the rest only the kind was asked, and
        that must be the same: a directory above the workspace may be as busy as it likes.
        """
        limit = self._born - RACY_NANOSECONDS
        inside = {*self._listings, *self._bytes, *self._stats}
        passed: dict[str, dict[str, str]] = {}
        for place, kind in self._kinds.items():
            if kind == "link":
                inside.add(place)
            elif place not in inside:
                passed.setdefault(place.rpartition("/")[0] or "/", {})[place] = kind
        marks: dict[str, tuple[int, ...]] = {}
        for place in inside:
            if not self._is_as_it_was(place, self._kinds.get(place), limit, marks):
                return False
        same = all(marks.get(place) == mark for place, mark in self._marks.items())
        self._marks = marks
        return same and self._still_passed(passed)

    def _is_as_it_was(self, place: str, kind: str | None, limit: int, marks: dict[str, tuple[int, ...]]) -> bool:
        try:
            found = os.lstat(self.host(place))
        except (OSError, ValueError):
            return not kind
        if kind is not None and kind != _kind_of(found.st_mode):
            return False
        marks[place] = (found.st_dev, found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns)
        return found.st_mtime_ns <= limit and found.st_ctime_ns <= limit

    def _still_passed(self, passed: dict[str, dict[str, str]]) -> bool:
        """Whether what was only asked its kind is of that kind still.

        A directory that looks as it did when its names were last compared vouches for them, when it was quiet by then.
        """
        limit = file_clock_ns() - RACY_NANOSECONDS
        for above, places in passed.items():
            mark = self._quiet_mark(above, limit)
            known = self._passed.get(above)
            if known is not None and known[0] == mark and known[1] == len(places):
                continue
            if any(self._kind_now(place) != kind for place, kind in places.items()):
                return False
            if mark is None:
                self._passed.pop(above, None)
            else:
                self._passed[above] = (mark, len(places))
        return True

    def _quiet_mark(self, directory: str, limit: int) -> tuple[int, ...] | None:
        """How a directory looks; None when it changed too lately to vouch for anything."""
        try:
            found = os.lstat(self.host(directory))
        except (OSError, ValueError):
            return None
        quiet = found.st_mtime_ns <= limit and found.st_ctime_ns <= limit
        return (found.st_dev, found.st_ino, found.st_mode, found.st_mtime_ns, found.st_ctime_ns) if quiet else None

    def _kind_now(self, place: str) -> str:
        try:
            return _kind_of(os.lstat(self.host(place)).st_mode)
        except (OSError, ValueError):
            return ""

    def host(self, path: str) -> str:
        """Where a path of the box lies on the machine."""
        return self._prefix + path if self._prefix else path

    def real(self, path: str) -> str | None:
        """The absolute path after every link, or `None` where nothing is."""
        return (self._found.get(path) or self._look(path))[0]

    def kind(self, path: str) -> str:
        """What a path is after links: `file`, `dir`, `other` (a pipe, socket or device), or empty where nothing is."""
        return (self._found.get(path) or self._look(path))[1]

    def _look(self, path: str) -> tuple[str | None, str]:
        """(real path, kind) of a path, remembered."""
        above, _, name = path.rpartition("/")
        listing = self._listings.get(above)
        if listing is not None and name not in _ODD:  # most questions: a name in a real directory that was listed
            kind = listing.get(name, "")
            if kind != "link":
                self._found[path] = here = (path, kind) if kind else _ABSENT
                return here
        if name in _ODD or "//" in path or "/./" in path or "/../" in path:
            tidy = f"/{normpath(path).lstrip('/')}"
            self._found[path] = found = self._found.get(tidy) or self._look(tidy)
            return found
        self._found[path] = _ABSENT  # a circle of links comes back here and finds nothing
        if path.count("/") > _MAX_DEPTH:
            return _ABSENT
        real = (self._found.get(above or "/") or self._look(above))[0]
        if real is not None:
            self._found[path] = found = self._step(real, name, path if real == above else _below(real, name))
            return found
        return _ABSENT

    def _step(self, above: str, name: str, place: str) -> tuple[str | None, str]:
        kind = self._own_kind(above, name, place)
        if kind != "link":
            return (place, kind) if kind else _ABSENT
        target = self._follow(above, place)
        found = (self._found.get(target) or self._look(target)) if target else _ABSENT
        if found[0] is None:
            self.broken.add(place)
        return found

    def _own_kind(self, above: str, name: str, place: str) -> str:
        listing = self._listings.get(above)
        if listing is not None:
            return listing.get(name, "")
        kind = self._kinds.get(place)
        if kind is None:
            self._kinds[place] = kind = self._kind_now(place)
        return kind

    def _follow(self, above: str, place: str) -> str | None:
        """Where a link leads, as a path of the box."""
        try:
            target = os.readlink(self.host(place))
        except OSError:
            return None
        if not target.startswith("/"):
            return normpath(_below(above, target))
        target = f"/{normpath(target).lstrip('/')}"
        if self._prefix and target.startswith(f"{self._prefix}/") and self.real(target) is None:
            return target[len(self._prefix) :]
        return target

    def is_file(self, path: str) -> bool:
        """Whether a regular file is there, after links."""
        return self.kind(path) == "file"

    def is_dir(self, path: str) -> bool:
        """Whether a directory is there, after links."""
        return self.kind(path) == "dir"

    def is_link(self, path: str) -> bool:
        """Whether the last name of a path is a link, broken or not."""
        above, _, name = normpath(path).rpartition("/")
        real = self.real(above or "/")
        return bool(real and name) and self._own_kind(str(real), name, _below(str(real), name)) == "link"

    def is_broken(self, path: str) -> bool:
        """Whether the last name of a path is a link that leads to nothing."""
        if not self.broken or self.real(path) is not None:
            return False
        above, _, name = normpath(path).rpartition("/")
        return f"{(self.real(above or '/') or '').rstrip('/')}/{name}" in self.broken

    def entries(self, path: str) -> dict[str, str]:
        """Name -> kind (`file`, `dir`, `link`, `other`) of a directory's entries, in the file system's own order."""
        real = self.real(path)
        if real is None:
            return {}
        listing = self._listings.get(real)
        if listing is None:
            self._listings[real] = listing = self._scan(real)
        return listing

    def _scan(self, real: str) -> dict[str, str]:
        try:
            with os.scandir(self.host(real)) as found:
                return {entry.name: _entry_kind(entry) for entry in found}
        except (OSError, ValueError):
            return {}

    def spellings(self, path: str, name: str) -> list[str]:
        """The entries of a directory that equal a name without regard to case, sorted by code point."""
        return self.folded(path).get(name.casefold(), [])

    def folded(self, path: str) -> dict[str, list[str]]:
        """A directory's entries by their name without regard to case."""
        real = self.real(path)
        if real is None:
            return {}
        folded = self._folded.get(real)
        if folded is None:
            self._folded[real] = folded = {}
            for entry in self.entries(real):
                key = entry.casefold()
                if key in folded:
                    folded[key] = sorted([*folded[key], entry])
                else:
                    folded[key] = [entry]
        return folded

    def walk(self, path: str) -> list[str]:
        """Every file below a directory, sorted, without following links to directories; bounded."""
        found: list[str] = []
        pending, seen = [path], 0
        while pending:
            place = pending.pop()
            for name, kind in self.entries(place).items():
                seen += 1
                below = _below(place, name)
                if kind == "dir":
                    pending.append(below)
                elif kind == "file" or self.is_file(below):
                    found.append(below)
            if seen > _MAX_WALK:
                break
        return sorted(found)

    def size(self, path: str) -> int:
        """The bytes of a file; 0 where there is none."""
        found = self._stat(path)
        return found.st_size if found else 0

    def identity(self, path: str) -> tuple[int, int] | None:
        """(device, inode) of what a path leads to: two hard links of one file have the same."""
        found = self._stat(path)
        return (found.st_dev, found.st_ino) if found else None

    def _stat(self, path: str) -> os.stat_result | None:
        real = self.real(path)
        if real is None:
            return None
        if real not in self._stats:
            try:
                self._stats[real] = os.lstat(self.host(real))
            except (OSError, ValueError):
                self._stats[real] = None
        return self._stats[real]

    def read(self, path: str) -> bytes | None:
        """The first `max_bytes` of a regular file; `None` where there is none or it cannot be read."""
        real = self.real(path)
        if real is None or not self.is_file(real):
            return None
        if real not in self._bytes:
            self._bytes[real] = _read(self.host(real), self.max_bytes)
        return self._bytes[real]

    def text(self, path: str) -> str | None:
        """A file's text: UTF-8, what is not UTF-8 as U+FFFD, a leading byte order mark left out."""
        real = self.real(path)
        if real is None:
            return None
        if real not in self._texts:
            data = self.read(real)
            self._texts[real] = None if data is None else data.decode("utf-8", "replace").removeprefix("\ufeff")
        return self._texts[real]

    def blank(self, path: str) -> bool:
        """Whether a file has no text but white space; so does one that is absent."""
        blank = self._blank.get(path)
        if blank is None:
            text = self.text(path) or ""
            self._blank[path] = blank = not text or text.isspace()
        return blank


_ABSENT: tuple[None, str] = (None, "")
_ODD = frozenset({"", ".", ".."})


def _below(place: str, name: str) -> str:
    return f"{place}/{name}" if place != "/" else f"/{name}"


def _kind_of(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "dir"
    return "link" if stat.S_ISLNK(mode) else "other"


def _entry_kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return "link"
    if entry.is_file(follow_symlinks=False):
        return "file"
    return "dir" if entry.is_dir(follow_symlinks=False) else "other"


def _read(place: str, limit: int) -> bytes | None:
    """Read a regular file; opened without waiting, so that a pipe put in its place meanwhile cannot block."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(place, flags)
    except (OSError, ValueError):
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return None
        parts: list[bytes] = []
        left = limit
        while left > 0 and (part := os.read(descriptor, min(left, found.st_size + 1, _CHUNK))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    except OSError:
        return None
    finally:
        os.close(descriptor)
