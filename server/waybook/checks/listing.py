"""What exists in the workspace, asked by directory: a text names many files of few directories."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from waybook.checks.memo import PerView

if TYPE_CHECKING:
    from collections.abc import Collection

    from waybook.analysis.view import Tree, View


_CASE_COUNTS = sys.platform == "linux"
"""Elsewhere a directory may answer to a name in another case: then each directory above is looked up as well."""

_FEW = 24
"""Names that are found in a tuple as fast as in a set made for it."""


class Listing:
    """The names of each directory that was asked about, listed once for a view. Paths are clean workspace paths."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._names: dict[str, Collection[str]] = {}

    def has(self, path: str) -> bool:
        """Whether a file or directory of this path is there; "" is the root."""
        if not path:
            return True
        directory, _, name = path.rpartition("/")
        return name in self._in(directory)

    def is_dir(self, path: str) -> bool:
        """Whether it is a directory."""
        return self.has(path) and self._tree.is_dir(path)

    def _in(self, directory: str) -> Collection[str]:
        names = self._names.get(directory)
        if names is None:
            known = _CASE_COUNTS or self.has(directory)
            listed = self._tree.names(directory) if known else ()
            names = self._names[directory] = listed if len(listed) <= _FEW else frozenset(listed)
        return names


def _make(view: View) -> Listing:
    return Listing(view.tree)


listing = PerView(_make)
"""The listing of a view."""
