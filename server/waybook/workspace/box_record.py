"""What a `Box` has looked at, in a form that can be kept, and whether everything still looks the same.

Contents count, never times: directories by names and kinds, files by their bytes, links by their targets.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from waybook.workspace.box import Box
from waybook.workspace.marks import RACY_NANOSECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping

# ruff: noqa: SLF001 -- the record of a box is part of it, in a file of its own


def record(box: Box) -> dict[str, str] | None:
    """By "question path", what the box saw; None when a link on the way is so young that it may have been another one."""
    youngest = box._born - RACY_NANOSECONDS
    seen: dict[str, str] = {}
    for place, kind in box._kinds.items():
        target = _target(box.host(place), youngest) if kind == "link" else ""
        if target is None:
            return None
        seen[f"kind {place}"] = f"{kind} {target}"
    for place, listing in box._listings.items():
        digest = _listing(box.host(place), listing, youngest)
        if digest is None:
            return None
        seen[f"list {place}"] = digest
    for place, data in box._bytes.items():
        seen[f"read {place}"] = _content(data)
    for place, status in box._stats.items():
        seen[f"stat {place}"] = _status(status)
    return seen


def still_holds(seen: Mapping[str, str], root: str = "/") -> bool:
    """Whether a new box would see the same."""
    return all(_again(Box(root), *key.split(" ", 1)) == answer for key, answer in seen.items())


def _again(box: Box, question: str, place: str) -> str | None:
    if question == "kind":
        above, _, name = place.rpartition("/")
        kind = box._own_kind(above or "/", name, place)
        return f"{kind} {_target(box.host(place)) if kind == 'link' else ''}"
    if question == "list":
        return _listing(box.host(place), box._scan(place))
    if question == "read":
        return _content(box.read(place) if box.real(place) == place else None)
    return _status(box._stat(place) if box.real(place) == place else None)


def _target(path: str, youngest: int | None = None) -> str | None:
    """A link's target; None when it changed after `youngest` (nanoseconds)."""
    try:
        if youngest is not None and os.lstat(path).st_ctime_ns > youngest:
            return None
        return os.readlink(path)
    except OSError:
        return ""


def _listing(directory: str, listing: Mapping[str, str], youngest: int | None = None) -> str | None:
    lines = []
    for name in sorted(listing):
        target = _target(f"{directory}/{name}", youngest) if listing[name] == "link" else ""
        if target is None:
            return None
        lines.append(f"{name}\0{listing[name]}\0{target}")
    return _digest("\n\0".join(lines).encode("utf-8", "surrogatepass"))


def _content(data: bytes | None) -> str:
    return "" if data is None else _digest(data)


def _status(status: os.stat_result | None) -> str:
    return "" if status is None else f"{status.st_dev} {status.st_ino} {status.st_size}"


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:32]
