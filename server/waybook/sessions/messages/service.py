"""Reading what is kept of sessions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.sessions.messages import repository
from waybook.sessions.messages.model import Conversation, Found
from waybook.sessions.messages.order import arranged, taken_over

if TYPE_CHECKING:
    from waybook.sessions.messages.model import Message, Session
    from waybook.store.store import Connection, Store

MAX_QUERY = 256
"""Characters of a search."""
MAX_FOUND = 500
_EXCERPT = 120
_DEPTH = 32
"""Forks of forks that are followed; deeper ones show what is nearer."""


class MessageService:
    """Sessions and messages of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def sessions(
        self, *, agent: str = "", below: str = "", cwd: str = "", children: bool = False
    ) -> tuple[Session, ...]:
        """Sessions, newest first; see `Session`. `below` and `cwd` are directories."""
        with self._store.read() as connection:
            return repository.list_sessions(connection, agent=agent, below=below, cwd=cwd, children=children)

    def named(self, name: str, agent: str = "") -> tuple[Session, ...]:
        """The sessions that an id, a native id or the beginning of one may mean."""
        with self._store.read() as connection:
            return tuple(session for _, session in repository.find(connection, name, agent))

    def conversation(self, session_id: str) -> Conversation:
        """A session by its id, with all that belongs to it."""
        with self._store.read() as connection:
            ((seq, session), *_) = repository.find(connection, session_id)
            messages = arranged(repository.read(connection, seq))
            if session.fork_point:
                messages = (*self._before(connection, session, _DEPTH), *messages)
            return Conversation(
                session, messages, repository.children(connection, session), repository.forks(connection, session)
            )

    def _before(self, connection: Connection, session: Session, depth: int) -> tuple[Message, ...]:
        """What a fork that copies nothing took over: its parent's messages up to the point where it left."""
        found = [
            (seq, parent)
            for seq, parent in repository.find(connection, session.forked_from, session.agent)
            if parent.native_id == session.forked_from
        ]
        if not found or depth == 0:
            return ()
        seq, parent = found[0]
        own = taken_over(arranged(repository.read(connection, seq)), session.fork_point)
        earlier = self._before(connection, parent, depth - 1) if parent.fork_point else ()
        return (*(replace(message, inherited=True) for message in (*taken_over(earlier, session.fork_point), *own)),)

    def search(
        self, query: str, *, agent: str = "", below: str = "", cwd: str = "", limit: int = 20
    ) -> tuple[Found, ...]:
        """Visible messages of their own session that hold a text, newest first. Raises `UsageError`."""
        require_search(query, limit)
        query = query.strip()
        with self._store.read() as connection:
            rows = repository.search(connection, query, agent=agent, below=below, cwd=cwd, limit=limit)
        return tuple(Found(session, seq, kind, at, _excerpt(text, query)) for session, seq, kind, at, text in rows)


def require_search(query: str, limit: int) -> None:
    """Refuse (`UsageError`) a query or a number of places outside the limits."""
    if not 1 <= len(query.strip()) <= MAX_QUERY:
        msg = f"A search has 1 to {MAX_QUERY} characters."
        raise UsageError(msg, code="bad-query", limit=MAX_QUERY, hint="Search for a word or a short phrase.")
    if not 1 <= limit <= MAX_FOUND:
        msg = f"A search shows 1 to {MAX_FOUND} places."
        raise UsageError(msg, code="bad-limit", limit=MAX_FOUND, hint="Pass another --limit.")


def _excerpt(text: str, query: str) -> str:
    """One line around the first match."""
    place = max(0, text.lower().find(query.lower()))
    start, end = max(0, place - _EXCERPT // 2), place + len(query) + _EXCERPT // 2
    words = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{words}{'…' if end < len(text) else ''}"
