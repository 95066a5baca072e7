"""The SQL of sessions that runs of Waybook's own have: made with a fork or by the first message, growing at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from waybook.continuity.capture.gather import OWN_AGENT
from waybook.continuity.rows import fetch
from waybook.sessions.transcripts.forks import session_id
from waybook.store.tables import messages, run_instruction_snapshots, sessions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from waybook.continuity.model import Piece


_PIN = "SELECT fingerprint FROM run_instruction_snapshots WHERE run_id = ? ORDER BY revision {} LIMIT 1"
_FIRST_PIN, _NEWEST_PIN = _PIN.format("ASC"), _PIN.format("DESC")


@dataclass(frozen=True, slots=True)
class Words:
    """A message of a run's own, as long as people write them."""

    key: str
    role: str
    kind: str
    text: str
    at: str


def open_session(connection: Connection, run_id: str, title: str, cwd: str, branch: str, now: str) -> int:
    """Add the session of a run; its row number."""
    texts = dict.fromkeys(("version", "model", "path", "parent", "parent_call", "forked_from", "fork_point"), "")
    counts = dict.fromkeys(("title_rank", "messages", "prompts", "calls", "inherited"), 0)
    values = {
        **texts,
        **counts,
        "id": session_id(OWN_AGENT, run_id),
        "agent": OWN_AGENT,
        "native_id": run_id,
        "run_id": run_id,
        "title": title,
        "cwd": cwd,
        "branch": branch,
        "started_at": now,
        "updated_at": now,
        "imported_at": now,
    }
    connection.execute(sessions.insert(), values)
    return int(connection.execute(select(sessions.c.seq).where(sessions.c.id == values["id"])).scalar_one())


def inherit(connection: Connection, session_seq: int, pieces: Sequence[Piece]) -> None:
    """Copy what a fork takes over into its session, each message under the place it was said."""
    rows = [_row(session_seq, f"{piece.session_id}/{piece.key}", piece, inherited=1) for piece in pieces]
    if rows:
        connection.execute(messages.insert(), rows)
        connection.execute(sessions.update().where(sessions.c.seq == session_seq).values(inherited=len(rows)))


def append(connection: Connection, session_seq: int, words: Words) -> None:
    """Add a message of the run's own."""
    last = select(messages.c.key).where(messages.c.session_seq == session_seq).order_by(messages.c.seq.desc()).limit(1)
    row = _row(session_seq, words.key, words, inherited=0)
    row["parent"] = connection.execute(last).scalar() or ""
    connection.execute(messages.insert(), row)
    more: dict[str, Any] = {"messages": sessions.c.messages + 1, "updated_at": words.at}
    if words.kind == "prompt":
        more["prompts"] = sessions.c.prompts + 1
    connection.execute(sessions.update().where(sessions.c.seq == session_seq).values(more))


def _row(session_seq: int, key: str, piece: Piece | Words, *, inherited: int) -> dict[str, Any]:
    return {
        "session_seq": session_seq,
        "key": key,
        "parent": "",
        "role": piece.role,
        "kind": str(piece.kind),
        "text": piece.text,
        "call_id": "",
        "at": piece.at,
        "side": 0,
        "hidden": 0,
        "inherited": inherited,
    }


def pinned_snapshot(connection: Connection, run_id: str, fingerprint: str) -> str | None:
    """The instructions that a run was pinned to under a fingerprint, as JSON."""
    table = run_instruction_snapshots
    rule = (table.c.run_id == run_id) & (table.c.fingerprint == fingerprint)
    return connection.execute(select(table.c.snapshot).where(rule).limit(1)).scalar()


def newest_pin(connection: Connection, run_id: str, *, first: bool = False) -> str:
    """The fingerprint a run is pinned to now (`first`: at its beginning); "" without a pin."""
    rows = fetch(connection, _FIRST_PIN if first else _NEWEST_PIN, (run_id,))
    return str(rows[0][0]) if rows else ""
