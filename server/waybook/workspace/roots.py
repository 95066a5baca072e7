"""Which directory is the workspace, and whether it may be one."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import Literal

from waybook.base.errors import DiscoveryError

FoundBy = Literal[".git", ".prayu", "current directory"]


@dataclass(frozen=True, slots=True)
class FoundRoot:
    """A workspace root (absolute path) and what marked it."""

    path: str
    found_by: FoundBy


def find_root(start: str) -> FoundRoot:
    """The nearest directory, from `start` upwards, with `.git` (a file or a directory) or `.prayu`; else `start`.

    Where both stand in one directory `.git` is named.
    """
    here = os.path.abspath(start)
    directory = here
    while True:
        if os.path.lexists(os.path.join(directory, ".git")):
            return FoundRoot(directory, ".git")
        if os.path.isdir(os.path.join(directory, ".prayu")):
            return FoundRoot(directory, ".prayu")
        parent = os.path.dirname(directory)
        if parent == directory:
            return FoundRoot(here, "current directory")
        directory = parent


def check_root(path: str) -> str:
    """The absolute path of a workspace root, or `DiscoveryError` `bad-root`.

    The path is not empty, holds no NUL, and names a real directory; neither it nor any ancestor is a symlink or
    junction (the resolved path equals the path). Source: the .prayu protocol.
    """
    if not path or "\0" in path:
        raise bad_root(path, "a workspace root is a non-empty path without NUL")
    absolute = os.path.abspath(path)
    real = os.path.realpath(absolute)
    if os.path.normcase(real) != os.path.normcase(absolute):
        why = "it, or a directory above it, is a symlink"
        raise bad_root(absolute, why, f"Open the real directory instead: {real}")
    try:
        mode = os.lstat(absolute).st_mode
    except OSError as error:
        raise bad_root(absolute, f"it cannot be opened ({error.strerror or error})") from error
    if not stat.S_ISDIR(mode):
        raise bad_root(absolute, "it is not a directory")
    return absolute


def bad_root(path: str, why: str, hint: str = "Open an existing directory as the workspace.") -> DiscoveryError:
    """The error for a directory that cannot be a workspace root."""
    return DiscoveryError(f"{path!r} cannot be a workspace root: {why}.", code="bad-root", path=path, hint=hint)
