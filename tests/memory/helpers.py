"""What the memory tests share: a clock one can move, drafts, and a look into every file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from waybook.memory.model import Draft, Scope

USER = (Scope.USER, "local-user")


class Clock:
    """Goes on by a microsecond at each look, and as far as a test says."""

    def __init__(self) -> None:
        self._now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def now(self) -> datetime:
        self._now += timedelta(microseconds=1)
        return self._now

    def advance(self, **span: float) -> None:
        self._now += timedelta(**span)


def draft(title: str = "Test convention", content: str = "Run unit tests before packaging", **more: object) -> Draft:
    """A memory of the user."""
    return Draft("user", title, content, **more)  # type: ignore[arg-type] - the test says which fields


def leftovers(folder: Path | str, needle: str) -> list[str]:
    """The files below a folder that hold the needle, or any ten characters of it, in UTF-8 or UTF-16."""
    pieces = {needle[start : start + 10] for start in range(max(1, len(needle) - 9))}
    wanted = [piece.encode(encoding) for piece in pieces for encoding in ("utf-8", "utf-16-le", "utf-16-be")]
    found = []
    for file in sorted(Path(folder).rglob("*")):
        if file.is_file():
            data = file.read_bytes()
            found += [str(file)] if any(piece in data for piece in wanted) else []
    return found
