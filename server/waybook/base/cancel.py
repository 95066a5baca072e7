"""Asking long work to stop, and telling how far it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from waybook.base.errors import CancelledError

Report = Callable[[str, int, int], None]
"""Told (what, done, total) now and then; `total` is 0 while unknown."""


def _silent(_what: str, _done: int, _total: int) -> None:
    """Reports nothing."""


@dataclass(slots=True)
class Progress:
    """Handed to every long operation: `step` reports and raises `CancelledError` once `cancel` was called.

    Safe to cancel from another thread.
    """

    report: Report = _silent
    _stopped: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Ask the operation to stop at its next step."""
        self._stopped.set()

    @property
    def cancelled(self) -> bool:
        """Whether someone asked to stop."""
        return self._stopped.is_set()

    def step(self, what: str, done: int = 0, total: int = 0) -> None:
        """Report, or raise `CancelledError` when asked to stop."""
        if self._stopped.is_set():
            msg = f"Cancelled while {what}."
            raise CancelledError(msg)
        self.report(what, done, total)
