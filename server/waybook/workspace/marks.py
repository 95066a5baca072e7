"""How a file looks from outside (identity, size, times): equal marks mean that its content need not be read again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.clock import file_clock_ns

if TYPE_CHECKING:
    from collections.abc import Iterable

RACY_NANOSECONDS = 50_000_000
"""A file changed this shortly before it was looked at may change again under the same time stamp.

Linux file systems stamp with the kernel's tick (at most 10 ms); the rest is room.
"""


@dataclass(frozen=True, slots=True)
class Mark:
    """`identity` is empty for a file that is not there; `settled` is False when the mark cannot be trusted yet."""

    identity: tuple[int, ...]
    settled: bool


MISSING = Mark((), settled=True)


def file_marks(root: str, paths: Iterable[str]) -> dict[str, Mark]:
    """The marks of workspace-relative paths, links not followed."""
    now = file_clock_ns()
    marks: dict[str, Mark] = {}
    for path in paths:
        try:
            status = os.lstat(f"{root}/{path}")
        except OSError:
            marks[path] = MISSING
            continue
        changed = max(status.st_mtime_ns, status.st_ctime_ns)
        identity = (
            status.st_dev,
            status.st_ino,
            status.st_mode,
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
        )
        marks[path] = Mark(identity, settled=now - changed > RACY_NANOSECONDS)
    return marks
