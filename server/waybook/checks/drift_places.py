"""Which files the pinned and the live snapshots disagree about, each once over all the scopes that inherit it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.checks.places import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from waybook.analysis.view import View
    from waybook.instructions.model import Snapshot


def touched(view: View, kind: str) -> Iterator[str]:
    """The paths a kind of drift names (`added`, `removed`, `changed`), each once, in the scopes' order.

    A file that another scope already had when it was pinned is not added, and one that still applies somewhere is not
    removed: the scope appeared or went, not the file.
    """
    if not view.drift:
        return
    seen: set[str] = set()
    if kind == "added" and view.pinned is not None:
        seen = _paths(view.pinned.snapshots)
    elif kind == "removed":
        seen = _paths(view.snapshots)
    for diff in view.drift.values():
        for path in getattr(diff, kind):
            if path not in seen:
                seen.add(path)
                yield path


def _paths(snapshots: Mapping[str, Snapshot]) -> set[str]:
    return {source.path for snapshot in snapshots.values() for source in snapshot.sources}


def on_first_line(view: View, code: str, path: str, message: str, subject: str | None = None) -> Finding:
    """A drift finding at the first line of a file; `subject` is the file it speaks of where that is another one."""
    return Finding(code=code, path=path, span=first_line(view, path), message=message, data={"file": subject or path})
