"""Which workspace, and which target in it, a person means by what was typed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import NotFoundError, UsageError
from waybook.workspace.roots import check_root, find_root

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Located:
    """A workspace: its root (absolute), and how it was chosen: `argument`, `registered name`, `.git`, `.prayu`, ..."""

    root: str
    found_by: str


@dataclass(frozen=True, slots=True)
class Locator:
    """Finds workspaces from the directory `cwd`; `registered` gives the root of a registered name, or raises."""

    cwd: str
    registered: Callable[[str], str]

    def locate(self, workspace: str = "", near: str = "") -> Located:
        """The workspace a person names, or the one around `near` (default: the current directory)."""
        if not workspace:
            return self._around(os.path.join(self.cwd, near))
        path = os.path.abspath(os.path.join(self.cwd, workspace))
        if os.path.isdir(path):
            return Located(check_root(path), "argument")
        if os.sep not in workspace and workspace not in {".", ".."}:
            return Located(check_root(self.registered(workspace)), "registered name")
        raise NotFoundError(
            f"{workspace} is no directory.",
            code="no-workspace",
            path=workspace,
            hint="Name an existing directory, or a workspace that `waybook workspace list` shows.",
        )

    def _around(self, path: str) -> Located:
        """The nearest marked directory above a path.

        Where none is marked: the current directory if it holds the path, else the path's own directory.
        """
        found = find_root(path)
        if found.found_by != "current directory":
            return Located(check_root(found.path), found.found_by)
        if _inside(self.cwd, path):
            return Located(check_root(self.cwd), "current directory")
        while not os.path.isdir(path):
            path = os.path.dirname(path)
        return Located(check_root(path), "the target's directory")

    def aim(self, target: str, workspace: str = "") -> tuple[Located, str]:
        """A workspace and a target inside it, from what a person typed.

        Without `workspace` the target is relative to the current directory and decides which workspace is meant; with
        it, the target is workspace-relative, as the protocol has it. An absolute target is taken where it lies inside.
        """
        if "\0" in target:
            raise UsageError(
                "A target cannot hold a NUL character.",
                code="invalid-target",
                hint="Name a file or directory, such as src/app.py.",
            )
        if workspace:
            located = self.locate(workspace)
            inside = os.path.isabs(target) and _inside(located.root, os.path.normpath(target))
            return located, os.path.relpath(target, located.root) if inside else target
        full = os.path.normpath(os.path.join(self.cwd, target))
        located = self._around(full)
        return located, os.path.relpath(full, located.root)


def current_directory() -> str:
    """The process's directory; `NotFoundError` where it was deleted or cannot be read."""
    try:
        return os.getcwd()
    except OSError as error:
        raise NotFoundError(
            f"The current directory cannot be used ({error.strerror or error}).",
            code="no-directory",
            hint="Change into an existing directory first.",
        ) from error


def _inside(root: str, path: str) -> bool:
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)
