"""Directories: which lie between two, and where a project begins."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.workspace.box import Box


def inside(path: str, top: str) -> bool:
    """Whether a path is `top` or below it."""
    return top in {path, "/"} or path.startswith(f"{top}/")


def ancestors(path: str) -> list[str]:
    """A directory and every one above it, the nearest first, `/` last."""
    found = [path]
    while (above := dirname(path)) != path and above:
        found.append(above)
        path = above
    return found


def down(top: str, bottom: str) -> list[str]:
    """The directories from `top` to `bottom`, both included, outermost first; none when `bottom` is not below `top`."""
    if not inside(bottom, top):
        return []
    return [place for place in reversed(ancestors(bottom)) if inside(place, top)]


def nearest(box: Box, start: str, markers: Iterable[str]) -> str | None:
    """The nearest directory from `start` upwards that holds one of the names, as a file or a directory."""
    names = tuple(markers)
    for place in ancestors(start):
        if any(box.kind(join(place, name)) for name in names):
            return place
    return None


def git_root(box: Box, start: str) -> str | None:
    """The nearest directory upwards that git itself accepts: `.git` with a HEAD, or a `.git` file that leads to one."""
    for place in ancestors(start):
        marker = join(place, ".git")
        kind = box.kind(marker)
        if kind == "dir" and box.kind(join(marker, "HEAD")):
            return place
        if kind == "file" and (box.text(marker) or "").startswith("gitdir:"):
            return place
    return None


def resolve(base: str, path: str, home: str) -> str:
    """An absolute, tidy path: `~/` is the home, anything else relative to `base`."""
    if path == "~" or path.startswith("~/"):
        return normpath(home + path[1:])
    return normpath(join(base, path))


def relative(path: str, top: str) -> str:
    """The path below `top`, or the path itself when it is not below."""
    if path == top:
        return "."
    if inside(path, top):
        return path[len(top) :].lstrip("/")
    return path
