"""What changed between pinned and live snapshots, file by file, as unified differences for people to review."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.instructions.model import Snapshot, Source

Change = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file's change. `difference` is a unified diff of the delivered texts (normalised, secrets redacted)."""

    path: str
    change: Change
    difference: str


def file_changes(pairs: Iterable[tuple[Snapshot | None, Snapshot | None]]) -> tuple[FileChange, ...]:
    """Every file that differs in any (pinned, live) pair, once, by path. A refused live side says nothing about files."""
    changes: dict[str, FileChange] = {}
    for pinned, live in pairs:
        if live is None:
            continue
        before = {source.path: source for source in pinned.sources} if pinned else {}
        after = {source.path: source for source in live.sources}
        for path in {*before, *after}:
            if path not in changes and (change := _change(path, before.get(path), after.get(path))):
                changes[path] = change
    return tuple(changes[path] for path in sorted(changes))


def _change(path: str, before: Source | None, after: Source | None) -> FileChange | None:
    if before and after and before.content_sha256 == after.content_sha256:
        return None
    what: Change = "changed" if before and after else "added" if after else "removed"
    return FileChange(path, what, _difference(path, before.content if before else "", after.content if after else ""))


def _difference(path: str, before: str, after: str) -> str:
    from difflib import unified_diff

    lines = unified_diff(_lines(before), _lines(after), f"pinned/{path}", f"disk/{path}", lineterm="")
    return "\n".join(lines)


def _lines(text: str) -> list[str]:
    return text.split("\n")[:-1]
