"""How texts are bounded, and how what people type is read. No input or output here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.errors import RefusedError, UsageError
from waybook.continuity.model import MAX_BUDGET, TaskMode

if TYPE_CHECKING:
    from waybook.continuity.capture.repository import MemoryState
    from waybook.continuity.model import MemoryReference

PROJECTIONS = ("session", "compaction", "note", "delivery", "artifact")
"""The prefixes of ids that the tree gives to what it only shows."""


def clip(text: str, limit: int) -> str:
    """At most `limit` UTF-8 bytes: head, notice with the exact bytes left out, tail; characters stay whole."""
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return data.decode()
    room = limit - len(_notice(len(data)).encode())
    head = data[: room * 3 // 4].decode("utf-8", "ignore")
    tail = data[len(data) - room // 4 :].decode("utf-8", "ignore")
    left_out = len(data) - len(head.encode()) - len(tail.encode())
    return f"{head}{_notice(left_out)}{tail}"


def _notice(count: int) -> str:
    return f"\n[... {count} bytes left out ...]\n"


def task_mode(text: str) -> TaskMode:
    """The mode of this name; raises `UsageError`."""
    try:
        return TaskMode(text)
    except ValueError as error:
        raise UsageError(
            f"There is no kind of work {text!r}.",
            code="bad-mode",
            hint=f"Choose one of {', '.join(mode for mode in TaskMode if mode)}; permission modes are never kept.",
        ) from error


def budget(tokens: int) -> int:
    """A budget in tokens, 0 for none; raises `UsageError`."""
    if not 0 <= tokens <= MAX_BUDGET:
        raise UsageError(
            f"A budget has 0 (none) to {MAX_BUDGET:,} tokens.",
            code="bad-budget",
            limit=MAX_BUDGET,
            hint="Pass another.",
        )
    return tokens


def refuse_projection(node_id: str) -> None:
    """Refuse (`RefusedError`, code `not-authoritative`) an id of something that the tree only shows."""
    if node_id.partition(":")[0] in PROJECTIONS and ":" in node_id:
        raise RefusedError(
            f"{node_id} is shown for browsing only; nothing can be forked or resumed from it.",
            code="not-authoritative",
            hint="Name a stored node (nod_...), or make one: waybook session checkpoint RUN-OR-SESSION",
        )


def memory_state(reference: MemoryReference, found: MemoryState | None, now: str) -> str:
    """What became of a referenced memory: active, deleted, disabled, expired, or changed (another version)."""
    if found is None:
        return "deleted"
    if found.status != "active":
        return "disabled"
    if found.retention_until and found.retention_until <= now:
        return "expired"
    same = (found.version, found.sha256) == (reference.version, reference.sha256)
    return "active" if same else "changed"
