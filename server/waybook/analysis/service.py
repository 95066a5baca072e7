"""The analysis of one workspace over time: unsaved buffers, what was pinned, and the views made from them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from waybook.analysis.build import Builder
from waybook.base.cancel import Progress
from waybook.base.clock import Clock, timestamp
from waybook.instructions.discover import discover
from waybook.workspace.guard import Guard
from waybook.workspace.overlay import Overlay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from waybook.analysis.loading import AgentContext
    from waybook.analysis.view import Pinned, View
    from waybook.instructions.model import Discovery, Snapshot


class Analysis:
    """One workspace. Views are immutable and cheap to ask for again: unchanged files are not read a second time.

    Thread-safe: a view may be built on a worker thread while the editor's loop changes the overlay.
    `pinned` is asked for once and again after `forget_pinned`.
    """

    def __init__(
        self,
        root: str,
        clock: Clock,
        pinned: Callable[[], Pinned | None],
        exclude: tuple[str, ...] = (),
        agents: AgentContext | None = None,
    ) -> None:
        self.root = root
        self.overlay = Overlay()
        self._clock = clock
        self._exclude = exclude
        self._builder = Builder(root, exclude, agents)
        self._load_pinned = pinned
        self._pinned: tuple[Pinned | None] | None = None
        self._lock = threading.Lock()

    def discover(self, target: str = ".") -> Snapshot:
        """What applies to one target, read afresh from the disk. Raises `DiscoveryError`."""
        with Guard(self.root) as guard:
            return discover(guard, target, timestamp(self._clock.now()))

    def view(
        self, scopes: Iterable[str] | None = None, progress: Progress | None = None, *, late: bool = False
    ) -> View:
        """The workspace now: every scope, or only the ones that govern the given workspace-relative directories.

        Drift is about the disk; unsaved text shows in `documents` only. `late`: scopes are discovered when first asked
        for, for callers that may know already what would be found.
        """
        with self._lock:
            return self._builder.build(
                now=timestamp(self._clock.now()),
                buffers=self.overlay.snapshot(),
                pinned=self.pinned(),
                only=None if scopes is None else tuple(scopes),
                progress=progress or Progress(),
                late=late,
            )

    def fresh_scopes(self, progress: Progress | None = None) -> Mapping[str, Discovery]:
        """Every scope read afresh, nothing remembered: what a confirmation is bound to."""
        builder = Builder(self.root, self._exclude)
        now = timestamp(self._clock.now())
        return builder.build(now=now, buffers={}, pinned=None, only=None, progress=progress or Progress()).scopes

    def pinned(self) -> Pinned | None:
        """What drift is measured against, as last loaded."""
        if self._pinned is None:
            self._pinned = (self._load_pinned(),)
        return self._pinned[0]

    def forget_pinned(self) -> None:
        """Load the pin again at the next view: somebody pinned or confirmed."""
        self._pinned = None
