"""Work-done progress of long commands: begins by itself when one takes long, ends always, cancels on request."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from waybook.base.cancel import Progress

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from waybook.lsp.language_server import Server

PATIENCE_SECONDS = 0.5
"""A command shorter than this shows no progress of its own accord."""
INTERVAL_SECONDS = 0.1
_numbers = itertools.count(1)


@asynccontextmanager
async def reported(ls: Server, title: str, token: types.ProgressToken | None) -> AsyncIterator[Progress]:
    """A `Progress` for one operation, reported under the client's token, or under ours once it takes long.

    Leaving the block by a cancel asks the operation, which may be on another thread, to stop.
    """
    reporter = _Reporter(ls, title, token)
    progress = Progress(reporter.report)
    reporter.progress = progress
    opening = asyncio.ensure_future(reporter.open_later())
    key = object()
    ls.running[key] = progress.cancel
    try:
        if token is not None:
            reporter.begin(token)
        yield progress
    except asyncio.CancelledError:
        progress.cancel()
        raise
    finally:
        del ls.running[key]
        opening.cancel()
        reporter.end()


class _Reporter:
    """Reports under one token. `report` is called by the worker; everything else by the event loop."""

    def __init__(self, ls: Server, title: str, token: types.ProgressToken | None) -> None:
        self._ls = ls
        self._title = title
        self._wanted = token
        self._token: types.ProgressToken | None = None
        self._last = 0.0
        self.progress: Progress | None = None

    async def open_later(self) -> None:
        """Ask the client for a progress of its own accord, when the operation takes long."""
        if self._wanted is not None or not self._ls.client.progress:
            return
        await asyncio.sleep(PATIENCE_SECONDS)
        token = f"waybook-{next(_numbers)}"
        try:
            await self._ls.protocol.ask(
                types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WorkDoneProgressCreateParams(token)
            )
        except JsonRpcException:
            return
        self.begin(token)

    def begin(self, token: types.ProgressToken) -> None:
        """Show it."""
        self._token = token
        if self.progress is not None:
            self._ls.cancels[token] = self.progress.cancel
        self._notify(types.WorkDoneProgressBegin(self._title, cancellable=True))

    def report(self, what: str, done: int, total: int) -> None:
        """Told by the worker; passed on now and then."""
        self._ls.from_worker(lambda: self._report(what, done, total))

    def _report(self, what: str, done: int, total: int) -> None:
        now = asyncio.get_running_loop().time()
        if self._token is None or now - self._last < INTERVAL_SECONDS:
            return
        self._last = now
        message = f"{what} ({done} of {total})" if total else what
        self._notify(types.WorkDoneProgressReport(message=message, percentage=100 * done // total if total else None))

    def end(self) -> None:
        """Take it away."""
        if self._token is not None:
            self._ls.cancels.pop(self._token, None)
            self._notify(types.WorkDoneProgressEnd())
            self._token = None

    def _notify(self, value: Any) -> None:
        self._ls.protocol.notify(types.PROGRESS, types.ProgressParams(self._token or "", value))
