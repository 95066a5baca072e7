"""Directories: which lie between two, and where a project begins."""

from __future__ import annotations

from functools import lru_cache
from posixpath import dirname, normpath
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.workspace.box import Box


def join(place: str, name: str) -> str:
    """A path below a directory. Cheaper than the library's own, and asked for hundreds of times in one pass."""
    return f"{place}/{name}" if place not in {"/", ""} else f"/{name}"


def inside(path: str, top: str) -> bool:
    """Whether a path is `top` or below it."""
    return top in {path, "/"} or path.startswith(f"{top}/")


@lru_cache(maxsize=1024)
def ancestors(path: str) -> tuple[str, ...]:
    """A directory and every one above it, the nearest first, `/` last."""
    found = [path]
    while (above := dirname(path)) != path and above:
        found.append(above)
        path = above
    return tuple(found)


@lru_cache(maxsize=1024)
def down(top: str, bottom: str) -> tuple[str, ...]:
    """The directories from `top` to `bottom`, both included, outermost first; none when `bottom` is not below `top`."""
    if not inside(bottom, top):
        return ()
    return tuple(place for place in reversed(ancestors(bottom)) if inside(place, top))


def nearest(box: Box, start: str, markers: Iterable[str]) -> str | None:
    """The nearest directory from `start` upwards that holds one of the names, as a file or a directory."""
    names = tuple(markers)
    key = ("nearest", start, names)
    if key not in box.memo:
        found = (place for place in ancestors(start) if any(box.kind(join(place, name)) for name in names))
        box.memo[key] = next(found, None)
    return cast("str | None", box.memo[key])


def git_root(box: Box, start: str) -> str | None:
    """The nearest directory upwards that git itself accepts: `.git` with a HEAD, or a `.git` file that leads to one."""
    key = ("git", start)
    if key not in box.memo:
        box.memo[key] = _git_root(box, start)
    return cast("str | None", box.memo[key])


def _git_root(box: Box, start: str) -> str | None:
    """An empty `.git` folder is passed over, as git does; a `.git` file that leads nowhere ends the search."""
    for place in ancestors(start):
        marker = join(place, ".git")
        kind = box.kind(marker)
        if kind == "dir" and box.kind(join(marker, "HEAD")):
            return place
        if kind == "file":
            head, _, target = (box.text(marker) or "").partition(":")
            leads = head == "gitdir" and box.kind(join(resolve(place, target.strip(), ""), "HEAD"))
            return place if leads else None
    return None


def resolve(base: str, path: str, home: str) -> str:
    """An absolute, tidy path: `~/` is the home, anything else relative to `base`."""
    if path == "~" or path.startswith("~/"):
        return normpath(home + path[1:])
    return normpath(path if path.startswith("/") else join(base, path))


def relative(path: str, top: str) -> str:
    """The path below `top`, or the path itself when it is not below."""
    if path == top:
        return "."
    if inside(path, top):
        return path[len(top) :].lstrip("/")
    return path
