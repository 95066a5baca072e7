"""The system calls of one explanation, recorded, as a plain Python function that does nothing else but one SHA-256."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from collections.abc import Callable

_NAMES = ("open", "close", "stat", "lstat", "fstat", "pread", "read", "readlink", "scandir", "listdir")


class Recorder:
    """Notes every call of `os` that reaches the kernel while `run` is at work."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any], Any]] = []

    def record(self, run: Callable[[], object]) -> None:
        with _patched(self):
            run()

    def noting(self, name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def call(*arguments: Any, **options: Any) -> Any:
            try:
                result = real(*arguments, **options)
            except OSError as error:
                self.calls.append((name, arguments, options, error))
                raise
            self.calls.append((name, arguments, options, result))
            return result

        return call


class _patched:  # noqa: N801 -- used like a function
    def __init__(self, recorder: Recorder) -> None:
        self._patches = [patch.object(os, name, recorder.noting(name)) for name in _NAMES]

    def __enter__(self) -> None:
        for item in self._patches:
            item.start()

    def __exit__(self, *_: object) -> None:
        for item in self._patches:
            item.stop()


def replay(recorder: Recorder, *, only_opens_and_reads: bool) -> tuple[Callable[[], str], int]:
    """The calls one after another, each descriptor a local variable, and how many there are.

    `only_opens_and_reads` leaves out what looks at names (`stat`, `fstat`) and what was not there to be opened.
    """
    lines = ["def bare():", " parts = []"]
    handles: dict[int, str] = {}
    read: set[str] = set()
    count = 0
    for name, arguments, options, result in recorder.calls:
        if only_opens_and_reads and (
            name in {"stat", "lstat", "fstat"} or (name == "open" and isinstance(result, OSError))
        ):
            continue
        shown = [
            handles.get(item, repr(item)) if _is_handle(name, at) else repr(item) for at, item in enumerate(arguments)
        ]
        if name == "pread":
            lines.append(
                f" parts.append(os_pread({', '.join(shown)}))"
                if shown[0] not in read
                else f" os_pread({', '.join(shown)})"
            )
            read.add(shown[0])
        else:
            shown += [
                f"{key}={handles.get(item, item) if key == 'dir_fd' else repr(item)}" for key, item in options.items()
            ]
            text = f"os_{name}({', '.join(shown)})"
            if isinstance(result, OSError):
                lines += [" try:", f"  {text}", " except OSError:", "  pass"]
            elif name == "open":
                handles[result] = f"f{count}"
                lines.append(f" f{count} = {text}")
            else:
                lines.append(f" {text}")
        count += 1
    lines.append(" return sha256(b''.join(parts)).hexdigest()")
    from hashlib import sha256

    scope: dict[str, Any] = {f"os_{name}": getattr(os, name) for name in _NAMES} | {"sha256": sha256}
    exec("\n".join(lines), scope)
    return scope["bare"], count


def _is_handle(name: str, at: int) -> bool:
    return at == 0 and name in {"close", "fstat", "pread", "read", "scandir"}
