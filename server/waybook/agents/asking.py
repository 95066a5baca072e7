"""From what a person types to a `Request`: host paths become paths of the box, and the workspace is found inside it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.agents.model import Request
from waybook.base.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person typed; empty where they left it out. Paths are the machine's, relative to `here`."""

    target: str = ""
    workspace: str = ""
    cwd: str = ""
    home: str = ""
    root: str = ""
    args: tuple[str, ...] = ()


def make_request(asked: Asked, here: str, environ: Mapping[str, str]) -> tuple[Request, str]:
    """The request, and how its workspace was found (`argument`, `.git`, `.prayu`, `current directory`).

    A path below `root` names that place; any other absolute path is taken as a path inside the box. A target is
    relative to the workspace where one is named, else to the current directory; it may lie outside the workspace.
    Raises `NotFoundError` for a root, workspace, cwd or home directory that is not there, `UsageError` for NUL.
    """
    if any("\0" in text for text in (asked.target, asked.workspace, asked.cwd, asked.home, asked.root)):
        raise UsageError("A path cannot hold a NUL character.", code="invalid-target")
    root = os.path.realpath(os.path.join(here, asked.root)) if asked.root else "/"
    _require(root, "--root", asked.root)

    def boxed(path: str, base: str = here) -> str:
        full = os.path.normpath(os.path.join(base, path))
        if root == "/":
            return full
        for top in (root, os.path.normpath(os.path.join(here, asked.root))):
            if full == top or full.startswith(f"{top}/"):
                return full[len(top) :] or "/"
        return full

    def host(path: str) -> str:
        return path if root == "/" else root + path

    start = boxed(asked.cwd) if asked.cwd else boxed(asked.target or ".")
    workspace, found_by = (boxed(asked.workspace), "argument") if asked.workspace else _nearest(start, boxed(""), host)
    base = host(workspace) if asked.workspace else here
    target = boxed(asked.target, base) if asked.target not in {"", "."} else None
    cwd = boxed(asked.cwd) if asked.cwd else workspace
    home = boxed(asked.home or environ.get("HOME", "/nonexistent"))
    _require(host(workspace), "--workspace", asked.workspace)
    _require(host(cwd), "--cwd", asked.cwd)
    if asked.home:
        _require(host(home), "--home", asked.home)
    return Request(workspace, cwd, target, home, root, asked.args, {}, environ), found_by


def _nearest(start: str, here: str, host: Callable[[str], str]) -> tuple[str, str]:
    """The nearest directory upwards with `.git` or `.prayu`; else the current directory if it holds the start."""
    place = start
    while True:
        if os.path.lexists(os.path.join(host(place), ".git")):
            return place, ".git"
        if os.path.isdir(os.path.join(host(place), ".prayu")):
            return place, ".prayu"
        if place == "/":
            break
        place = os.path.dirname(place)
    if start == here or start.startswith(f"{here.rstrip('/')}/"):
        return here, "current directory"
    while not os.path.isdir(host(start)):
        start = os.path.dirname(start)
    return start, "the target's directory"


def _require(path: str, option: str, typed: str) -> None:
    if not os.path.isdir(path):
        raise NotFoundError(
            f"{typed or path} is no directory.",
            code="no-directory",
            path=typed or path,
            hint=f"Give {option} an existing directory.",
        )
