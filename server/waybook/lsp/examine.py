"""Run the checks over one document or a whole workspace, on worker threads. Knows no protocol and no event loop."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from waybook.checks import CHECKS
from waybook.checks.model import Check, DiskCheck
from waybook.checks.run import Selection, disk_findings, text_findings

if TYPE_CHECKING:
    from waybook.analysis.findings import Finding
    from waybook.analysis.service import Analysis
    from waybook.analysis.view import View
    from waybook.base.cancel import Progress
    from waybook.lsp.reuse import Reuse

log = logging.getLogger(__name__)

SLOW_SECONDS = 2.0
"""A check that takes longer on one document is named in the log and to the person, once."""

Failed = Callable[[str, Exception | None], None]
"""Told a check's code and what it raised; None: it was slow."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A workspace's findings at one view. `disk` and `text` map paths to findings of the two kinds of checks."""

    view: View
    disk: dict[str, list[Finding]]
    text: dict[str, list[Finding]]

    def of(self, path: str) -> list[Finding]:
        """Every finding of one file, in order."""
        return ordered(self.disk.get(path, []), self.text.get(path, []))

    def paths(self) -> set[str]:
        """The files that have findings."""
        return {*self.disk, *self.text}


def ordered(*lists: Sequence[Finding]) -> list[Finding]:
    """Findings in reading order."""
    return sorted(
        (found for items in lists for found in items), key=lambda found: (found.span, found.code, found.message)
    )


def examine_workspace(
    analysis: Analysis, selection: Selection, failed: Failed, progress: Progress, reuse: Reuse
) -> Examined:
    """Every check over every file; text findings that still hold are taken from `reuse`. Raises `CancelledError`."""
    from waybook.editor.symbols import headings

    view = analysis.view(progress=progress)
    disk: dict[str, list[Finding]] = {}
    for found in disk_findings(view, CHECKS, selection, failed):
        disk.setdefault(found.path, []).append(found)
    text: dict[str, list[Finding]] = {}
    for done, (document, findings) in enumerate(reuse.look(view, CHECKS, selection, failed)):
        progress.step("checking instruction files", done, len(view.documents))
        for found in findings:
            text.setdefault(found.path, []).append(found)
        headings(document)  # remembered with the document, while its parsed text is at hand
    return Examined(view, disk, text)


@dataclass
class DocumentExamination:
    """The checks of one document, one after another, so that what is ready can be shown while one is slow.

    `drain` may run on a second thread when the first is stuck in a slow check: each check is taken once. `known_disk`:
    what the disk checks said about this file before; None asks them again, over this document's scopes.
    """

    analysis: Analysis
    path: str
    selection: Selection
    failed: Failed
    progress: Progress
    known_disk: list[Finding] | None = None
    checks: Sequence[Check] = CHECKS
    findings: list[Finding] = field(default_factory=list)
    _view: View | None = None
    _queue: deque[Check] = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        disk_too = self.known_disk is None
        self._queue = deque(check for check in self.checks if disk_too or not isinstance(check, DiskCheck))
        self.findings += self.known_disk or []

    @property
    def view(self) -> View:
        """The scopes that govern the document; made at the first use, on a worker."""
        with self._lock:
            if self._view is None:
                self._view = self.analysis.view((self.path,), self.progress)
            return self._view

    def drain(self) -> None:
        """Run the checks that are left. Raises `CancelledError`."""
        view = self.view
        while True:
            with self._lock:
                if not self._queue:
                    return
                check = self._queue.popleft()
            self.progress.step("checking a document")
            started = time.perf_counter()
            found = self._run(check, view)
            if time.perf_counter() - started > SLOW_SECONDS:
                log.warning("The check %s took long on %s.", check.code, self.path)
                self.failed(check.code, None)
            with self._lock:
                self.findings += found

    def ready(self) -> list[Finding]:
        """What has been found so far."""
        with self._lock:
            return ordered(self.findings)

    def _run(self, check: Check, view: View) -> list[Finding]:
        if isinstance(check, DiskCheck):
            found = disk_findings(view, (check,), self.selection, self.failed)
        else:
            document = view.documents.get(self.path)
            found = text_findings(document, view, (check,), self.selection, self.failed) if document else []
        return [item for item in found if item.path == self.path]
