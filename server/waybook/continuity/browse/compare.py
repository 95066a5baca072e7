"""Two nodes side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.continuity.browse.model import Compared, Comparison

if TYPE_CHECKING:
    from waybook.continuity.model import Node, Piece


def compare(a: Node, b: Node, statuses: tuple[str, str]) -> Comparison:
    """What two nodes share and what they do not. `statuses` are the states of their runs, "" without a run.

    `same` says whether both snapshots mean the same.
    """
    one, other = a.snapshot, b.snapshot
    texts = (
        ("fingerprint", one.fingerprint, other.fingerprint),
        ("run", a.run_id, b.run_id),
        ("session", a.session_id, b.session_id),
        ("status", *statuses),
        ("config", one.config_fingerprint, other.config_fingerprint),
        ("instructions", one.instruction_fingerprint, other.instruction_fingerprint),
        ("git repository", one.git.state, other.git.state),
        ("git branch", one.git.branch, other.git.branch),
        ("git head", one.git.head, other.git.head),
        ("git uncommitted", one.git.dirty, other.git.dirty),
        ("git worktree", one.git.worktree, other.git.worktree),
        ("compaction", _place(one.compaction), _place(other.compaction)),
        ("mode", one.mode.value, other.mode.value),
        ("budget", str(one.budget_tokens or ""), str(other.budget_tokens or "")),
    )
    memories = tuple({f"{item.id}@{item.version}": None for item in side.memories} for side in (one, other))
    said = tuple({_place(piece): None for piece in side.messages} for side in (one, other))
    return Comparison(
        a=a,
        b=b,
        same=one.fingerprint == other.fingerprint,
        fields=tuple(Compared(name, left, right, left == right) for name, left, right in texts),
        memories_only_a=tuple(item for item in memories[0] if item not in memories[1]),
        memories_only_b=tuple(item for item in memories[1] if item not in memories[0]),
        messages_shared=len(said[0].keys() & said[1].keys()),
        messages_only_a=tuple(item for item in said[0] if item not in said[1]),
        messages_only_b=tuple(item for item in said[1] if item not in said[0]),
    )


def _place(piece: Piece | None) -> str:
    return "" if piece is None else f"{piece.session_id}/{piece.key}"
