"""What nobody tells an editor about is looked at now and then: the database, and the files that instructions name.

Somebody may pin or confirm in a terminal while the editor is open. And the file that an import or a path leads to may
lie anywhere in the workspace, where neither the client's globs nor our own watches reach.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from waybook.editor.mentions import named

if TYPE_CHECKING:
    from waybook.analysis.view import View
    from waybook.lsp.folders import Folder
    from waybook.lsp.language_server import Server

log = logging.getLogger(__name__)

INTERVAL_SECONDS = 2.0
MOST_TARGETS = 5_000
"""Paths looked at in one workspace: half a hundredth of a second."""
_FILES = ("", "-wal")
"""SQLite writes the database itself or, with a write-ahead log, that file first."""

Mark = tuple[tuple[int, int], ...]


def mark(path: str) -> Mark:
    """Sizes and times of the database's files; (0, 0) for one that is missing."""
    found = []
    for suffix in _FILES:
        try:
            state = Path(path + suffix).stat()
            found.append((state.st_size, state.st_mtime_ns))
        except OSError:
            found.append((0, 0))
    return tuple(found)


def targets(view: View) -> tuple[str, ...]:
    """Every workspace path that the instruction files name, there or missing."""
    found = {item.target for document in view.documents.values() for item in named(document, view) if item.target}
    return tuple(sorted(found)[:MOST_TARGETS])


class Pulse:
    """Looks every two seconds, on a worker; what changed is looked at as a whole. Made by the event loop."""

    def __init__(self, ls: Server) -> None:
        self._ls = ls
        self._views: dict[str, tuple[View, tuple[str, ...], tuple[bool, ...]]] = {}
        self._acted: dict[str, tuple[tuple[str, ...], tuple[bool, ...]]] = {}

    async def beat(self, interval: float = INTERVAL_SECONDS) -> None:
        """For as long as the server lives."""
        from waybook.store.paths import locate

        settings = self._ls.app.settings().settings
        database = locate(settings.store, settings.data_dir).path
        before = mark(database)
        while True:
            await asyncio.sleep(interval)
            now = mark(database)
            if now != before:
                before = now
                self._ls.pin_changed("store")  # a memory or a note may be new, too; a write of our own is told twice
            for folder in self._ls.folders.all():
                await self._look(folder)

    async def _look(self, folder: Folder) -> None:
        examined = self._ls.diagnoser.workspaces.get(folder.root) if self._ls.diagnoser is not None else None
        if examined is None:
            return
        view = examined.view
        if await self._ls.work_behind(lambda: self._moved(folder, view)):
            self._ls.diagnose(folder, "files")

    def _moved(self, folder: Folder, view: View) -> bool:
        """Whether a named path came or went since the view was made; on a worker."""
        known = self._views.get(folder.root)
        if known is None or known[0] is not view:
            paths = targets(view)
            known = self._views[folder.root] = (view, paths, tuple(view.tree.exists(path) for path in paths))
        there = tuple(Path(folder.absolute(path)).exists() for path in known[1])
        # Acted upon once only: should view and disk ever disagree for good, nothing goes round in circles.
        acted = self._acted.get(folder.root)
        self._acted[folder.root] = (known[1], there)
        return there != known[2] and (known[1], there) != acted
