"""Tells when something changed in given directories, for editors that cannot watch files themselves.

Directories are watched one by one, never the tree below them: watching 50,000 directories takes a second and meets the
system's limit silently. Where the system refuses, the same directories are looked at every two seconds instead.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchfiles._rust_notify import RustNotify

log = logging.getLogger(__name__)

DEBOUNCE_MILLISECONDS = 200
STEP_MILLISECONDS = 20
WAIT_MILLISECONDS = 1_000
POLL_SECONDS = 2.0

Signature = dict[str, tuple[int, int, int]]
Changed = Callable[[frozenset[str]], None]
"""Told the absolute paths that changed; empty: anything may have (the watching was set up anew)."""


class Watcher:
    """Watches directories on a thread of its own. `follow` may be called as often as wished; only news cost something.

    `changed` is called on the watcher's thread. What happened to a path is not told: the disk decides.
    """

    def __init__(self, changed: Changed, poll_seconds: float = POLL_SECONDS) -> None:
        self._changed = changed
        self._poll_seconds = poll_seconds
        self._wanted: frozenset[str] = frozenset()
        self._renew = threading.Event()
        self._stopped = False
        self._thread: threading.Thread | None = None
        self.polling = False

    def follow(self, directories: Iterable[str]) -> None:
        """Watch these directories from now on, and no others."""
        wanted = frozenset(directories)
        if wanted == self._wanted or self._stopped:
            return
        self._wanted = wanted
        self._renew.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="waybook-watcher", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread soon."""
        self._stopped = True
        self._renew.set()

    def _run(self) -> None:
        while not self._stopped:
            self._renew.clear()
            directories = sorted(path for path in self._wanted if os.path.isdir(path))
            try:
                self._watch(directories)
            except OSError as error:
                log.warning(
                    "Files cannot be watched (%s); looking every %s seconds instead.", error, self._poll_seconds
                )
                self._poll(directories)
            except Exception:
                log.exception("Watching failed; looking every %s seconds instead.", self._poll_seconds)
                self._poll(directories)

    def _watch(self, directories: list[str]) -> None:
        if not directories:
            self._renew.wait()
            return
        with _notifier(directories) as notifier:
            self.polling = False
            self._changed(frozenset())  # what happened before the watch stood is unknown
            while not self._renew.is_set():
                found = notifier.watch(DEBOUNCE_MILLISECONDS, STEP_MILLISECONDS, WAIT_MILLISECONDS, self._renew)
                if isinstance(found, set):
                    self._changed(frozenset(path for _, path in found))
                elif found == "stop":
                    return

    def _poll(self, directories: list[str]) -> None:
        self.polling = True
        before = signature(directories)
        while not self._renew.wait(self._poll_seconds):
            now = signature(directories)
            changed = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
            before = now
            if changed:
                self._changed(frozenset(changed))


def _notifier(directories: list[str]) -> RustNotify:
    from watchfiles._rust_notify import RustNotify

    return RustNotify(directories, False, False, 0, False, True)  # noqa: FBT003 -- its arguments have no names


def is_directory(path: str) -> bool:
    """Whether a path is a directory now, not a link to one."""
    return os.path.isdir(path) and not os.path.islink(path)


def signature(directories: Iterable[str]) -> Signature:
    """What the files in these directories look like from outside: inode, size, time of change."""
    found: Signature = {}
    for directory in directories:
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    state = entry.stat(follow_symlinks=False)
                    # A directory's own time says that something in it came or went; its size says nothing.
                    size = 0 if entry.is_dir(follow_symlinks=False) else state.st_size
                    found[entry.path] = (state.st_ino, size, state.st_mtime_ns)
        except OSError:
            found[directory] = (0, 0, 0)
    return found
