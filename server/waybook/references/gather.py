"""Reading several sessions at once: all of them or none, and never longer than the caller wants to wait."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING

from waybook.base.cancel import Progress
from waybook.base.errors import CancelledError, NotFoundError
from waybook.references.errors import cancelled, gone, read_failed, too_slow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.references.mentions import Reference
    from waybook.references.model import Surface
    from waybook.references.source import SessionSource

_GLANCE_SECONDS = 0.02
"""How often a wait looks whether it was cancelled."""

Arrived = tuple[int, "Surface | Exception"]


def gather(
    source: SessionSource, wanted: Sequence[Reference], progress: Progress, seconds: float
) -> tuple[Surface, ...]:
    """The surfaces of the sessions, in the order asked.

    Raises the first failure, `CancelledError` as soon as `progress` is cancelled, or `UnavailableError` after `seconds`.
    A reader that hangs is left behind on a thread that ends with the program; what it brings later goes nowhere.
    """
    arrived: SimpleQueue[Arrived] = SimpleQueue()
    inner = Progress()
    try:
        for index, reference in enumerate(wanted):
            _start(source, index, reference, inner, arrived)
        return _collect(wanted, arrived, progress, seconds)
    finally:
        inner.cancel()


def _start(
    source: SessionSource, index: int, reference: Reference, progress: Progress, arrived: SimpleQueue[Arrived]
) -> None:
    def work() -> None:
        try:
            arrived.put((index, source.read(reference.session_id, progress)))
        except Exception as error:  # noqa: BLE001 - any failure of a source refuses the whole, and is told there
            arrived.put((index, error))

    threading.Thread(target=work, name=f"reference-{index}", daemon=True).start()


def _collect(
    wanted: Sequence[Reference], arrived: SimpleQueue[Arrived], progress: Progress, seconds: float
) -> tuple[Surface, ...]:
    found: dict[int, Surface] = {}
    deadline = monotonic() + seconds
    while len(found) < len(wanted):
        if progress.cancelled:
            raise cancelled()
        if monotonic() > deadline:
            names = ", ".join(repr(item.label) for index, item in enumerate(wanted) if index not in found)
            raise too_slow(names, seconds)
        try:
            index, answer = arrived.get(timeout=_GLANCE_SECONDS)
        except Empty:
            continue
        if isinstance(answer, Exception):
            raise _failure(wanted[index], answer) from answer
        found[index] = answer
        progress.report("reading referenced sessions", len(found), len(wanted))
    if progress.cancelled:
        raise cancelled()
    return tuple(found[index] for index in range(len(wanted)))


def _failure(reference: Reference, error: Exception) -> Exception:
    if isinstance(error, CancelledError):
        return cancelled()
    if isinstance(error, NotFoundError):
        return gone(reference.session_id, reference.label)
    return read_failed(reference.session_id, reference.label, str(error) or type(error).__name__)
