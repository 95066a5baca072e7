"""Finding files by a glob below a directory, as far as a pattern's fixed part leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents.parts.globs import minimatch
from waybook.agents.parts.walk import join, relative, resolve

if TYPE_CHECKING:
    from waybook.workspace.box import Box


def glob(box: Box, place: str, pattern: str) -> list[str]:
    """The files that a pattern names, sorted; hidden ones too."""
    fixed, rest = _fixed_part(pattern)
    base = resolve(place, fixed or ".", "/")
    if not rest:
        return [base] if box.is_file(base) else []
    if "**" in rest or "/" in rest:
        found = box.walk(base) if box.is_dir(base) else []
    else:
        found = [path for name in sorted(box.entries(base)) if box.is_file(path := join(base, name))]
    return [path for path in found if minimatch(rest, relative(path, base), dot=True)]


def _fixed_part(pattern: str) -> tuple[str, str]:
    names = pattern.split("/")
    for index, name in enumerate(names):
        if any(char in name for char in "*?[{"):
            return "/".join(names[:index]), "/".join(names[index:])
    return pattern, ""
