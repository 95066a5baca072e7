"""The sessions in Waybook's database as a source. Their text was masked when it was stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.errors import NotFoundError
from waybook.references import repository
from waybook.references.model import Origin, SessionRecord, SourceMessage, Surface
from waybook.sessions.messages.order import arranged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from waybook.base.cancel import Progress
    from waybook.references.repository import Compacted
    from waybook.sessions.messages.model import Message
    from waybook.store.store import Store

_ORIGINS: dict[str, Origin] = {"prompt": "user", "answer": "assistant", "summary": "checkpoint"}


class StoredSessions:
    """Implements `SessionSource`; every read is one consistent state of the database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def sessions(self) -> tuple[SessionRecord, ...]:
        """Every session but those of subagents, the latest first."""
        with self._store.read() as connection:
            return repository.list_sessions(connection)

    def find(self, session_id: str) -> SessionRecord | None:
        """One session's record; None for one that was deleted or never imported."""
        if not _storable(session_id):
            return None
        with self._store.read() as connection:
            return repository.find_session(connection, session_id)

    def read(self, session_id: str, progress: Progress) -> Surface:
        """The session as it is now. Raises `NotFoundError`; stops between messages when `progress` is cancelled."""
        with self._store.read() as connection:
            record = repository.find_session(connection, session_id) if _storable(session_id) else None
            if record is None:
                raise NotFoundError(f"There is no session {session_id!r}.", code="no-session")
            through = repository.captured_through(connection, record.id)
            compacted = repository.compacted(connection, record.id)
            nodes = _while_wanted(repository.read_nodes(connection, record.id), progress)
            return Surface(record, through, surface(nodes, compacted))


def surface(nodes: Iterable[Message], compacted: Compacted) -> tuple[SourceMessage, ...]:
    """The messages that may be shown, in their order, with what compactions hid marked as hidden.

    Waybook's compactions mark what they hid, and their newest summary comes first. An agent's transcript keeps everything
    and says nothing: there, all before its last summary is hidden. A summary that the agent made after what Waybook's
    stands for is the later checkpoint; one that a run took over from where it was forked is not.
    """
    shown = [node for node in arranged(nodes) if node.kind in _ORIGINS and not node.hidden and not node.side]
    last = max((place for place, node in enumerate(shown) if node.kind == "summary"), default=0)
    start = 0 if compacted.own else last
    told = tuple(
        SourceMessage(
            node.seq,
            _ORIGINS[node.kind],
            node.text,
            hidden=place < start or node.seq in compacted.folded or _replaced(node, compacted),
        )
        for place, node in enumerate(shown)
    )
    return (SourceMessage(0, "checkpoint", compacted.summary), *told) if compacted.summary else told


def _replaced(node: Message, compacted: Compacted) -> bool:
    """Whether a summary that a run took over at its beginning gave way to that of a compaction."""
    return bool(compacted.summary) and compacted.own and node.inherited and node.kind == "summary"


def _while_wanted(messages: Iterator[Message], progress: Progress) -> Iterator[Message]:
    for message in messages:
        progress.step("reading a session")
        yield message


def _storable(text: str) -> bool:
    """Whether the database could hold such an id at all."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)
