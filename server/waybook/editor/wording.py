"""Sizes, scopes and pins in words, the same in hovers and lenses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.analysis.view import View
    from waybook.editor.answers import CountTokens
    from waybook.instructions.model import Snapshot, SnapshotDiff, Source

MANY = 8
_STEP = 1000


def scope_name(scope: str) -> str:
    """A scope as people read it."""
    return f"`{scope}/`" if scope else "the whole workspace"


def size(amount: int, tokens: int | None) -> str:
    """Bytes, and tokens where they are counted."""
    return f"{number(amount)} bytes" if tokens is None else f"{number(amount)} bytes, {number(tokens)} tokens"


def number(amount: int) -> str:
    """1234567 as 1,234,567."""
    return f"{amount:,}"


def short(amount: int) -> str:
    """2134 as 2.1k, for places with little room."""
    return str(amount) if amount < _STEP else f"{amount / _STEP:.1f}k"


def source_tokens(source: Source, count: CountTokens) -> int | None:
    """The tokens of what an agent receives from one source."""
    return count(source.content, source.content_sha256)


def chain_size(snapshot: Snapshot, count: CountTokens) -> tuple[int, int | None]:
    """The bytes on disk and the tokens of a whole chain; no tokens when one source cannot be counted."""
    counted = [source_tokens(source, count) for source in snapshot.sources]
    tokens = None if None in counted else sum(item for item in counted if item is not None)
    return sum(source.raw_bytes for source in snapshot.sources), tokens


def listed(items: Iterable[str], most: int = MANY) -> str:
    """Code-formatted names, the first few and how many more."""
    names = [f"`{item}`" for item in items]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def differences(diff: SnapshotDiff) -> str:
    """What separates a pin from the disk."""
    groups = (("added", diff.added), ("changed", diff.changed), ("removed", diff.removed))
    parts = [f"{word} {listed(paths)}" for word, paths in groups if paths]
    if diff.order_changed:
        parts.append("another order")
    return "; ".join(parts) or "the list of ignored files or the limits changed"


def pin_state(view: View, scope: str) -> str:
    """One line about the pin of a scope."""
    pinned = view.pinned
    if pinned is None:
        return "Not pinned: nothing was reviewed yet."
    what = "the baseline" if pinned.against == "baseline" else f"the pin of run `{pinned.id}`"
    when = f"revision {pinned.revision}, confirmed {pinned.pinned_at} by {pinned.pinned_by}"
    diff = view.drift.get(scope)
    if diff is not None:
        return f"**Stale**: differs from {what} ({when}): {differences(diff)}."
    if scope not in pinned.snapshots:
        return f"Not part of {what} ({when})."
    return f"Pinned: as in {what} ({when})."
