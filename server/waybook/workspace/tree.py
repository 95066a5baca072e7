"""The workspace's files by name: what exists, what a directory holds, what a glob matches. Memoised for one pass."""

from __future__ import annotations

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING

from waybook.workspace.globs import compile_globs
from waybook.workspace.walk import SKIPPED_DIRECTORIES

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LISTED = 200_000
"""Files a search by name looks at; a larger tree is searched as far as that."""


class WorkspaceTree:
    """Answers about paths below `root`; nothing outside is ever looked at. Implements `analysis.view.Tree`."""

    def __init__(self, root: str, exclude: tuple[str, ...] = ()) -> None:
        self._root = root
        self._exclude = exclude
        self._globs: dict[str, bool] = {}

    def exists(self, path: str) -> bool:
        """Whether a file or directory of this path is there (a dangling link is not)."""
        inside = self._inside(path)
        return inside is not None and os.path.exists(inside)

    def is_dir(self, path: str) -> bool:
        """Whether it is a directory."""
        inside = self._inside(path)
        return inside is not None and os.path.isdir(inside)

    def names(self, directory: str) -> tuple[str, ...]:
        """The sorted names in a directory; empty when it cannot be listed."""
        inside = self._inside(directory)
        try:
            return () if inside is None else tuple(sorted(os.listdir(inside)))
        except OSError:
            return ()

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
        return None if clean == ".." or clean.startswith("../") else os.path.join(self._root, clean)

    @cached_property
    def _files(self) -> tuple[str, ...]:
        found: list[str] = []
        for path in _walk(self._root, "", compile_globs(self._exclude)):
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
