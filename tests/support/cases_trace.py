"""Which directories a piece of code looks into, seen from the os functions it calls."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_WATCHED = ("open", "stat", "lstat", "scandir", "listdir", "readlink")


@contextmanager
def directories_looked_into(root: Path) -> Iterator[set[str]]:
    """The directories at or below `root` that are opened or listed, or that hold a name that is asked about."""
    seen: set[str] = set()

    def note(path: Any, dir_fd: int | None) -> None:
        if isinstance(path, int):
            full = os.path.realpath(f"/proc/self/fd/{path}")
        else:
            base = os.path.realpath(f"/proc/self/fd/{dir_fd}") if dir_fd is not None else os.getcwd()
            full = os.path.normpath(os.path.join(base, os.fspath(path)))
        if full.startswith(f"{root}/") or full == str(root):
            seen.add(full if os.path.isdir(full) else os.path.dirname(full))

    def watched(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any = ".", *arguments: Any, dir_fd: int | None = None, **options: Any) -> Any:
            if dir_fd is not None:
                options["dir_fd"] = dir_fd
            if active:  # what `note` itself asks does not count
                active.clear()
                note(path, dir_fd)
                active.append(True)
            return real(path, *arguments, **options)

        return call

    active = [True]
    with mock.patch.multiple(os, **{name: watched(getattr(os, name)) for name in _WATCHED}):
        yield seen
