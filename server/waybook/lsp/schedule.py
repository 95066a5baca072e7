"""One pending piece of work per key: asking again cancels the older one. Touched by the event loop only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass

from waybook.base.cancel import Progress
from waybook.base.errors import CancelledError

log = logging.getLogger(__name__)

Work = Callable[[Progress], Awaitable[None]]
Failed = Callable[[BaseException], None]


@dataclass(slots=True)
class _Pending:
    task: asyncio.Task[None]
    progress: Progress
    first_asked: float
    started: bool = False
    again: tuple[Work, float, float] | None = None


class Schedule:
    """Coalesces work by key. A crash is handed to `failed` and costs only that piece of work."""

    def __init__(self, failed: Failed) -> None:
        self._failed = failed
        self._pending: dict[Hashable, _Pending] = {}

    def submit(
        self, key: Hashable, work: Work, delay: float = 0.0, longest: float = 2.0, *, finish: bool = False
    ) -> None:
        """Run `work` after `delay` seconds of quiet; under a constant stream of calls after `longest` at the latest.

        `finish`: work that has begun is not cancelled but followed by the new one, so that a long look at a workspace
        ends even while events keep coming.
        """
        now = asyncio.get_running_loop().time()
        first = now
        older = self._pending.get(key)
        if older is not None and finish and older.started:
            older.again = (work, delay, longest)
            return
        if older is not None:
            first = older.first_asked
            older.progress.cancel()
            older.task.cancel()
        progress = Progress()
        wait = max(0.0, min(delay, first + longest - now)) if delay else 0.0
        task = asyncio.ensure_future(self._run(key, work, progress, wait))
        self._pending[key] = _Pending(task, progress, first)

    async def _run(self, key: Hashable, work: Work, progress: Progress, wait: float) -> None:
        try:
            if wait:
                await asyncio.sleep(wait)
            mine = self._pending.get(key)
            if mine is not None and mine.progress is progress:
                mine.first_asked = asyncio.get_running_loop().time()
                mine.started = True
            await work(progress)
        except (asyncio.CancelledError, CancelledError):
            return
        except Exception as error:  # the server outlives any piece of background work
            log.exception("Background work %s failed", key)
            self._failed(error)
        finally:
            mine = self._pending.get(key)
            if mine is not None and mine.progress is progress:
                del self._pending[key]
                if mine.again is not None and not progress.cancelled:
                    following, delay, longest = mine.again
                    self.submit(key, following, delay, longest, finish=True)

    def busy(self, key: Hashable) -> asyncio.Task[None] | None:
        """The pending work of this key."""
        found = self._pending.get(key)
        return found.task if found else None

    def stop(self) -> None:
        """Cancel everything."""
        for pending in list(self._pending.values()):
            pending.progress.cancel()
            pending.task.cancel()
        self._pending.clear()
