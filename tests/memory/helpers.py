"""What the memory tests share: a clock one can move, drafts, and a look into every file."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from waybook.memory.model import Draft, Scope

if TYPE_CHECKING:
    from pathlib import Path

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


LOOK = """
import os, sys
wanted = [bytes.fromhex(line) for line in sys.stdin.read().split()]
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            data = file.read()
        found = [piece.hex() for piece in wanted if piece in data]
        if found:
            print(path, *found)
"""


def look(folder: Path | str, pieces: list[bytes]) -> dict[str, set[bytes]]:
    """The pieces in each file below a folder.

    Another process looks: closing a database file beside SQLite would drop the locks that this process has on it.
    """
    done = subprocess.run(
        [sys.executable, "-S", "-c", LOOK, str(folder)],
        input="\n".join(piece.hex() for piece in pieces),
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    return {path: {bytes.fromhex(piece) for piece in found} for path, *found in lines}


def leftovers(folder: Path | str, needle: str) -> list[str]:
    """The files below a folder that hold the needle, or any ten characters of it, in UTF-8 or UTF-16."""
    pieces = {needle[start : start + 10] for start in range(max(1, len(needle) - 9))}
    return sorted(
        look(folder, [piece.encode(code) for piece in pieces for code in ("utf-8", "utf-16-le", "utf-16-be")])
    )
