"""Somebody may pin or confirm in a terminal while the editor is open: the database file is looked at now and then."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybook.lsp.language_server import Server

log = logging.getLogger(__name__)

INTERVAL_SECONDS = 2.0
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


async def watch_store(ls: Server, interval: float = INTERVAL_SECONDS) -> None:
    """Ask again what is pinned whenever the database changed; our own writes cost one look more."""
    from waybook.store.paths import locate

    settings = ls.app.settings().settings
    path = locate(settings.store, settings.data_dir).path
    before = mark(path)
    while True:
        await asyncio.sleep(interval)
        now = mark(path)
        if now != before:
            before = now
            for folder in ls.folders.all():
                ls.app.analysis(folder.root).forget_pinned()
                ls.diagnose(folder, "store")
