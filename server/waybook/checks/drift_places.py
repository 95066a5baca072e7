"""Which files the pinned and the live snapshots disagree about, each once over all the scopes that inherit it."""

from __future__ import annotations

from collections.abc import Iterator

from waybook.analysis.findings import Finding
from waybook.analysis.view import View
from waybook.checks.places import first_line


def touched(view: View, kind: str) -> Iterator[str]:
    """The paths a kind of drift names (`added`, `removed`, `changed`), each once, in the scopes' order."""
    seen: set[str] = set()
    for diff in view.drift.values():
        for path in getattr(diff, kind):
            if path not in seen:
                seen.add(path)
                yield path


def on_first_line(view: View, code: str, path: str, message: str, subject: str | None = None) -> Finding:
    """A drift finding at the first line of a file; `subject` is the file it speaks of where that is another one."""
    return Finding(code=code, path=path, span=first_line(view, path), message=message, data={"file": subject or path})
