"""What is remembered of a transcript file between two imports."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class FileState:
    """How far a file was read: `position` and `line` are the offset and the line number of what was taken in.

    `digest` tells whether a file is still the one that was read; `unknown` counts record types, `damage` lists the first
    damaged places (line, code, message) and `damaged` counts them all.
    """

    path: str
    agent: str
    device: int = 0
    inode: int = 0
    size: int = 0
    mtime_ns: int = 0
    position: int = 0
    line: int = 0
    digest: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    damage: tuple[tuple[int, str, str], ...] = ()
    damaged: int = 0
    imported_at: str = ""
