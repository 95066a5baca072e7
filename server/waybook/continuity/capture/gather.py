"""From a session's messages to bounded, redacted pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.canonical import sha256_hex
from waybook.continuity.capture import repository
from waybook.continuity.model import MAX_MESSAGE_BYTES, MAX_MESSAGES, MAX_SUMMARY_BYTES, Captured, Piece, PieceKind
from waybook.continuity.repository import known_pieces
from waybook.continuity.rules import clip
from waybook.sessions.messages.order import arranged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from waybook.continuity.capture.repository import SessionRow
    from waybook.sessions.messages.model import Message
    from waybook.store.store import Connection

OWN_AGENT = "waybook"
"""The agent of sessions that runs of Waybook's own have."""


def gather(
    connection: Connection,
    session: SessionRow | None,
    run_id: str,
    mask: Callable[[str], str],
    *,
    earlier: Sequence[Message] = (),
) -> tuple[Captured | None, tuple[Captured, ...]]:
    """The latest summary and the recent messages of a session. `earlier`: what a fork took over without a copy.

    A message that was captured before comes back as it was stored, without being redacted again.
    """
    if session is None:
        return _summary(connection, None, run_id, mask), ()
    own = arranged(repository.recent(connection, session.seq, MAX_MESSAGES))
    room = MAX_MESSAGES - len(own)
    shown = [item for item in earlier if item.inherited and item.kind in {"prompt", "answer"} and not item.hidden]
    newest = [*(shown[-room:] if room else ()), *own]
    drafts = [_draft(session, message) for message in newest]
    known = known_pieces(connection, [draft.origin for draft in drafts])
    pieces = tuple(known.get(draft.origin) or _finished(draft, MAX_MESSAGE_BYTES, mask) for draft in drafts)
    return _summary(connection, session, run_id, mask), pieces


@dataclass(frozen=True, slots=True)
class _Draft:
    origin: str
    session_id: str
    key: str
    role: str
    kind: PieceKind
    text: str
    at: str


def _draft(session: SessionRow, message: Message) -> _Draft:
    where, key = session.id, message.key
    if session.agent == OWN_AGENT and message.inherited:
        where, _, key = message.key.partition("/")
    role = message.role if message.role in {"user", "assistant"} else "system"
    kind = PieceKind(message.kind)
    origin = origin_of(where, key, role, kind.value, message.text, message.at)
    return _Draft(origin, where, key, role, kind, message.text, message.at)


def origin_of(*parts: str) -> str:
    """The SHA-256 of where and how a message was said; no part holds a NUL, since no message that is kept does."""
    return sha256_hex("\0".join(parts))


def _finished(draft: _Draft, limit: int, mask: Callable[[str], str]) -> Captured:
    # Masked as a whole before it is cut: half a secret is not recognised any more.
    text = clip(mask(draft.text.replace("\0", "�")), limit)
    return Captured(draft.origin, Piece(draft.session_id, draft.key, draft.role, draft.kind, text, draft.at))


def _summary(
    connection: Connection, session: SessionRow | None, run_id: str, mask: Callable[[str], str]
) -> Captured | None:
    """What Waybook compacted, unless the session itself holds a summary that the compaction does not stand for.

    That one was made later, of everything before it. One that a run took over from where it was forked is the older.
    """
    found = None if session is None else repository.latest_summary(connection, session.seq)
    made = repository.latest_compaction(connection, None if session is None else session.seq, run_id)
    taken_over = found is not None and session is not None and session.agent == OWN_AGENT and found.inherited
    if made is not None and (found is None or taken_over):
        name, text, at = made
        where = f"run:{run_id}" if session is None else session.id
        origin = origin_of(where, name, "system", "summary", text, at)
        draft = _Draft(origin, where, name, "system", PieceKind.SUMMARY, text, at)
    elif found is not None and session is not None:
        draft = _draft(session, found)
    else:
        return None
    known = known_pieces(connection, [draft.origin])
    return known.get(draft.origin) or _finished(draft, MAX_SUMMARY_BYTES, mask)
