"""Which workspace folder owns a file: the innermost one, compared by whole path components."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.uris import path_to_uri, uri_to_path

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Folder:
    """A workspace folder: its absolute path without a trailing separator."""

    root: str

    @property
    def uri(self) -> str:
        """The folder's URI."""
        return path_to_uri(self.root)

    def relative(self, path: str) -> str | None:
        """The workspace-relative slash path of an absolute one ("" is the folder itself); None outside."""
        if _folded(path) == _folded(self.root):
            return ""
        prefix = self.root if self.root.endswith(os.sep) else self.root + os.sep
        if not _folded(path).startswith(_folded(prefix)):
            return None
        return path[len(prefix) :].replace(os.sep, "/")

    def absolute(self, relative: str) -> str:
        """The absolute path of a workspace-relative one."""
        return os.path.normpath(f"{self.root.rstrip(os.sep)}{os.sep}{relative}") if relative else self.root


def _folded(path: str) -> str:
    return os.path.normcase(path)


class Folders:
    """The workspace folders of the session, in the client's order."""

    def __init__(self) -> None:
        self._folders: list[Folder] = []

    def add(self, uris: Iterable[str]) -> list[Folder]:
        """Take folders by URI; what is no local directory, or known already, is passed over. Gives the new ones."""
        paths = [path for uri in uris if (path := uri_to_path(uri)) is not None]
        new = list(dict.fromkeys(Folder(_clean(path)) for path in paths))
        new = [folder for folder in new if folder not in self._folders]
        self._folders.extend(new)
        return new

    def remove(self, uris: Iterable[str]) -> list[Folder]:
        """Let folders go; gives those that were there."""
        gone = {_clean(path) for uri in uris if (path := uri_to_path(uri)) is not None}
        removed = [folder for folder in self._folders if folder.root in gone]
        self._folders = [folder for folder in self._folders if folder.root not in gone]
        return removed

    def owner(self, path: str) -> Folder | None:
        """The innermost folder that holds an absolute path."""
        holders = [folder for folder in self._folders if folder.relative(path) is not None]
        return max(holders, key=lambda folder: len(folder.root), default=None)

    def all(self) -> tuple[Folder, ...]:
        """Every folder."""
        return tuple(self._folders)


def _clean(path: str) -> str:
    return os.path.normpath(path)
