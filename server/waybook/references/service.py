"""References as commands and editors use them: prepare a prompt, offer sessions, tell about one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.references.budget import Mask, plain
from waybook.references.candidates import MAX_CANDIDATES, Candidate, choose
from waybook.references.prepare import Bounds, prepare

if TYPE_CHECKING:
    from waybook.base.cancel import Progress
    from waybook.references.model import Prepared, SessionRecord
    from waybook.references.source import SessionSource


class ReferenceService:
    """Sessions to refer to, from one source. Reads only: nothing here changes a session or makes one."""

    def __init__(self, source: SessionSource, *, mask: Mask = plain) -> None:
        self._source = source
        self._mask = mask

    def prepare(self, text: str, session: str, progress: Progress, bounds: Bounds | None = None) -> Prepared:
        """The message for a prompt, as `prepare.prepare` says it."""
        return prepare(text, session, self._source, progress=progress, bounds=bounds, mask=self._mask)

    def candidates(
        self, query: str, cwd: str = "", session: str = "", limit: int = MAX_CANDIDATES
    ) -> tuple[Candidate, ...]:
        """The sessions to mention, as `candidates.choose` ranks them."""
        return choose(self._source.sessions(), query, cwd, session, limit)

    def find(self, session_id: str) -> SessionRecord | None:
        """A session's record; None for one that is not there (any more)."""
        return self._source.find(session_id)
