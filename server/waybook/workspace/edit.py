"""The only writer of the user's instruction files: applies fixes that a person asked for, whole or not at all.

A file is written through a temporary file beside it and renamed into place, so that a crash leaves the old or the new
text; it keeps its mode. A link is never written through: it is removed as itself first.
"""

from __future__ import annotations

import os
import stat
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import ConflictError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.base.text import Span


@dataclass(frozen=True, slots=True)
class Replacement:
    """Replace `span` of a text by `new_text`."""

    span: Span
    new_text: str


def replaced(text: str, replacements: Iterable[Replacement]) -> str:
    """The text with all replacements applied; overlapping ones after the first are left out."""
    out, at = [], 0
    for item in sorted(replacements, key=lambda found: (found.span.start, found.span.end)):
        if item.span.start < at:
            continue
        out += [text[at : item.span.start], item.new_text]
        at = item.span.end
    return "".join([*out, text[at:]])


def write_text(root: str, path: str, text: str, *, expected: str | None) -> None:
    """Write a file atomically. `expected` is the text it must still have (line ends as on disk), None for a new file.

    Raises `ConflictError` when the disk holds something else, `RefusedError` for a link in the way.
    """
    full = _inside(root, path)
    mode, mark = 0o644, ""
    if expected is not None:
        mode, mark = _check_unchanged(full, path, expected)
    elif os.path.lexists(full):
        raise ConflictError(f"{path} exists already.", path=path, hint="Nothing was written; look at the file first.")
    os.makedirs(os.path.dirname(full), exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(full), prefix=".waybook-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
            out.write(mark + text)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, full)
    except BaseException:
        os.unlink(temporary)
        raise


def delete(root: str, path: str) -> None:
    """Remove a file, or a link itself."""
    full = _inside(root, path)
    if stat.S_ISDIR(os.lstat(full).st_mode):
        raise RefusedError(f"{path} is a directory; only files are removed.", path=path)
    os.unlink(full)


def _inside(root: str, path: str) -> str:
    """The full path of a workspace-relative one whose directory is real and inside the root."""
    full = os.path.normpath(os.path.join(root, path))
    parent = os.path.dirname(full)
    existing = parent
    while not os.path.lexists(existing):
        existing = os.path.dirname(existing)
    if os.path.isabs(path) or not f"{parent}/".startswith(f"{root}/") or os.path.realpath(existing) != existing:
        raise RefusedError(
            f"{path} leads out of the workspace or through a link; nothing was written.", path=path, code="outside"
        )
    return full


def _check_unchanged(full: str, path: str, expected: str) -> tuple[int, str]:
    """The mode and the byte order mark ("" for none) of a file that still has the expected text."""
    mode = os.lstat(full).st_mode
    if not stat.S_ISREG(mode):
        raise RefusedError(f"{path} is not a regular file; nothing was written.", path=path)
    with open(full, encoding="utf-8", newline="") as file:
        text = file.read()
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    if text.removeprefix(mark) != expected:
        raise ConflictError(f"{path} changed on disk meanwhile; nothing was written.", path=path, hint="Check again.")
    return stat.S_IMODE(mode), mark
