"""The workspace's files by name: what exists, what a directory holds, what a glob matches. Memoised for one pass."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from waybook.base.clock import file_clock_ns
from waybook.workspace.globs import compile_globs
from waybook.workspace.marks import RACY_NANOSECONDS
from waybook.workspace.walk import SKIPPED_DIRECTORIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.workspace.walk import Scan

MAX_LISTED = 200_000
"""Files a search by name looks at; a larger tree is searched as far as that."""

MAX_KEPT = 5_000
"""Directories whose names are remembered from pass to pass."""


@dataclass(frozen=True, slots=True)
class _Listed:
    place: str
    changed: int
    moved: int
    inode: int
    device: int
    names: tuple[str, ...]


class Listings:
    """The names in directories, listed again only where a directory looks different. Safe from any thread.

    A directory that changed too lately is not trusted (see `workspace/marks.py`).
    """

    def __init__(self) -> None:
        self._known: dict[str, _Listed] = {}

    def known(self, directory: str) -> tuple[str, ...] | None:
        """The names of a directory that was listed before and looks the same; by its workspace-relative path."""
        listed = self._known.get(directory)
        if listed is None:
            return None
        try:
            found = os.stat(listed.place)
        except OSError:
            return None
        same = (
            found.st_mtime_ns == listed.changed
            and found.st_ctime_ns == listed.moved
            and found.st_ino == listed.inode
            and found.st_dev == listed.device
        )
        return listed.names if same else None

    def list(self, directory: str, place: str) -> tuple[str, ...]:
        """The sorted names in a directory, by its full path; empty when it cannot be listed."""
        try:
            found = os.stat(place)
            settled = file_clock_ns() - max(found.st_mtime_ns, found.st_ctime_ns) > RACY_NANOSECONDS
            names = tuple(sorted(os.listdir(place)))
        except OSError:
            return ()
        if settled:
            if len(self._known) >= MAX_KEPT:
                self._known.clear()
            marks = (found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev)
            self._known[directory] = _Listed(place, *marks, names)
        return names


class WorkspaceTree:
    """Answers about paths below `root`; nothing outside is ever looked at. Implements `analysis.view.Tree`.

    `scan` is a walk of the whole workspace in the same pass: what it listed is not listed again. `listings` remembers
    what directories held for the passes to come.
    """

    def __init__(
        self, root: str, exclude: tuple[str, ...] = (), scan: Scan | None = None, listings: Listings | None = None
    ) -> None:
        self._root = root
        self._listed = listings or Listings()
        self._exclude = exclude
        self._scan = scan
        self._listings: dict[str, tuple[str, ...]] = dict(scan.listings) if scan is not None else {}
        self._existing: dict[str, bool] = {}
        self._globs: dict[str, bool] = {}

    def exists(self, path: str) -> bool:
        """Whether a file or directory of this path is there (a dangling link is not)."""
        answer = self._existing.get(path)
        if answer is None:
            inside = self._inside(path)
            answer = self._existing[path] = inside is not None and os.path.exists(inside)
        return answer

    def is_dir(self, path: str) -> bool:
        """Whether it is a directory."""
        inside = self._inside(path)
        return inside is not None and os.path.isdir(inside)

    def names(self, directory: str) -> tuple[str, ...]:
        """The sorted names in a directory; empty when it cannot be listed."""
        known = self._listings.get(directory)
        if known is None:
            known = self._listed.known(directory)
            if known is None:
                inside = self._inside(directory)
                known = () if inside is None else self._listed.list(directory, inside)
            self._listings[directory] = known
        return known

    def find(self, name: str) -> tuple[str, ...]:
        """Every path whose base name this is, sorted; vendored directories left out."""
        return self._by_name.get(name, ())

    def matches(self, pattern: str) -> bool:
        """Whether a glob matches a file of the workspace; a pattern that cannot be read matches nothing."""
        answer = self._globs.get(pattern)
        if answer is None:
            wanted = _compile(pattern)
            answer = wanted is not None and any(wanted.fullmatch(path) for path in self._files)
            self._globs[pattern] = answer
        return answer

    def _inside(self, path: str) -> str | None:
        if "\0" in path or path.startswith("/"):
            return None
        clean = os.path.normpath(path) if path else "."
        return None if clean == ".." or clean.startswith("../") else f"{self._root}/{clean}"

    @cached_property
    def _files(self) -> tuple[str, ...]:
        found: list[str] = []
        excluded = compile_globs(self._exclude)
        walked = _walk(self._root, "", excluded) if self._scan is None else _scanned(self._scan, excluded)
        for path in walked:
            found.append(path)
            if len(found) >= MAX_LISTED:
                break
        return tuple(sorted(found))

    @cached_property
    def _by_name(self) -> dict[str, tuple[str, ...]]:
        by_name: dict[str, list[str]] = {}
        for path in self._files:
            by_name.setdefault(path.rpartition("/")[2], []).append(path)
        return {name: tuple(paths) for name, paths in by_name.items()}


def _walk(directory: str, prefix: str, excluded: re.Pattern[str] | None) -> Iterator[str]:
    """Files below a directory, without following links or entering vendored directories."""
    try:
        entries = list(os.scandir(directory))
    except OSError:
        return
    for entry in entries:
        path = f"{prefix}{entry.name}"
        if excluded is not None and excluded.fullmatch(path):
            continue
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in SKIPPED_DIRECTORIES:
                yield from _walk(entry.path, f"{path}/", excluded)
        else:
            yield path


def _scanned(scan: Scan, excluded: re.Pattern[str] | None) -> Iterator[str]:
    """The same files from a scan."""
    directories = {*scan.listings, *scan.skipped, *scan.unreadable}
    for directory, names in scan.listings.items():
        prefix = f"{directory}/" if directory else ""
        for name in names:
            path = prefix + name
            if path not in directories and (excluded is None or excluded.fullmatch(path) is None):
                yield path


def _compile(pattern: str) -> re.Pattern[str] | None:
    """A glob as a regular expression over slash paths; None when it cannot be read."""
    try:
        return re.compile(_translate(pattern.removeprefix("./")), re.DOTALL)
    except re.error:
        return None


def _translate(pattern: str) -> str:
    out, at, depth = "", 0, 0
    while at < len(pattern):
        char = pattern[at]
        if pattern.startswith("**/", at):
            out, at = f"{out}(?:.*/)?", at + 3
            continue
        if pattern.startswith("**", at):
            out, at = f"{out}.*", at + 2
            continue
        if char == "[" and (end := pattern.find("]", at + 2)) > 0:
            body = pattern[at + 1 : end].replace("\\", "\\\\")
            out, at = f"{out}[{'^' + body[1:] if body[0] == '!' else body}]", end + 1
            continue
        if char == "{":
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            out, at = f"{out})", at + 1
            continue
        out += {"*": "[^/]*", "?": "[^/]", "{": "(?:", ",": "|" if depth else ","}.get(char, re.escape(char))
        at += 1
    return out
