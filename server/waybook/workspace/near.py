"""The instruction files near a few directories, looked up again only where a directory changed."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from waybook.base.clock import file_clock_ns
from waybook.workspace.agent_files import FOLDERS, AgentFiles, near_agent_files, rule_folders
from waybook.workspace.governing import governing_scopes, upwards
from waybook.workspace.marks import RACY_NANOSECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.workspace.walk import Scan

_KEPT = 64
"""Sets of directories remembered: the documents a person has open."""
_MOST_FOLDERS = 200
"""Folders that one answer may rest on; more are cheaper to look up than to compare."""

Marks = tuple[tuple[int, ...] | None, ...]


class NearMemory:
    """What `governing_scopes` and `near_agent_files` said, given again while every directory they looked into is the same.

    Names appear and go with their directory's time stamps, so one look at each directory stands for all names in it. A
    directory that changed too lately is not trusted (see `workspace/marks.py`).
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[tuple[str, ...], tuple[tuple[str, ...], Marks, Scan, AgentFiles]] = {}

    def look(self, only: tuple[str, ...]) -> tuple[Scan, AgentFiles]:
        """The scopes that govern some workspace-relative directories, and the files of single agents there."""
        known = self._known.get(only)
        if known is not None and self._marks(known[0]) == known[1]:
            return known[2], known[3]
        directories = {above for directory in only for above in upwards(directory)}
        folders = tuple(islice(self._folders(directories), _MOST_FOLDERS + 1))
        marks = self._marks(folders)  # before the look, so that a change in between shows next time
        scan, others = governing_scopes(self._root, only), near_agent_files(self._root, directories)
        self._known.pop(only, None)
        if len(folders) <= _MOST_FOLDERS and self._settled(marks):
            self._known[only] = (folders, marks, scan, others)
            if len(self._known) > _KEPT:
                del self._known[next(iter(self._known))]
        return scan, others

    def _folders(self, directories: set[str]) -> Iterator[str]:
        """The directories themselves, and every folder of rules below them."""
        for directory in sorted(directories):
            place = f"{self._root}/{directory}" if directory else self._root
            yield place
            for folder in FOLDERS:
                if os.path.isdir(f"{place}/{folder}"):
                    yield from rule_folders(self._root, f"{directory}/{folder}".lstrip("/"))

    def _marks(self, folders: tuple[str, ...]) -> Marks:
        return tuple(map(_mark, folders))

    @staticmethod
    def _settled(marks: Marks) -> bool:
        limit = file_clock_ns() - RACY_NANOSECONDS
        return all(mark is None or max(mark[-2:]) < limit for mark in marks)


def _mark(folder: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return (found.st_dev, found.st_ino, found.st_mode, found.st_mtime_ns, found.st_ctime_ns)
