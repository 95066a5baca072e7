"""Where sessions come from: whoever stores them implements this protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from waybook.base.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from waybook.base.cancel import Progress
    from waybook.references.model import SessionRecord, Surface


class SessionSource(Protocol):
    """A store of sessions. Called from several threads at once; a call may hang, and then nobody waits for it."""

    def sessions(self) -> Iterable[SessionRecord]:
        """Every session that still exists, the latest first."""
        ...

    def find(self, session_id: str) -> SessionRecord | None:
        """One session's record; None for one that is not there."""
        ...

    def read(self, session_id: str, progress: Progress) -> Surface:
        """A session as it is now, in one consistent view. Raises `NotFoundError`; stops when `progress` is cancelled."""
        ...


class Sources:
    """Several sources as one; an id that two of them know belongs to the first."""

    def __init__(self, sources: Sequence[SessionSource]) -> None:
        self._sources = tuple(sources)

    def sessions(self) -> list[SessionRecord]:
        """Every session of every source, the latest first; without a time last."""
        found: dict[str, SessionRecord] = {}
        for source in self._sources:
            for record in source.sessions():
                found.setdefault(record.id, record)
        return sorted(found.values(), key=lambda record: record.updated_at, reverse=True)

    def find(self, session_id: str) -> SessionRecord | None:
        """The record in the first source that knows the session."""
        return next((record for source in self._sources if (record := source.find(session_id)) is not None), None)

    def read(self, session_id: str, progress: Progress) -> Surface:
        """The session from the first source that knows it."""
        for source in self._sources:
            if source.find(session_id) is not None:
                return source.read(session_id, progress)
        raise NotFoundError(f"There is no session {session_id!r}.", code="no-session")
