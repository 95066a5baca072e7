"""Every instruction file name that any agent of ours reads, and which of them stand in the directories of a chain."""

from __future__ import annotations

from posixpath import dirname
from typing import TYPE_CHECKING

from waybook.agents.parts.walk import down, inside, join
from waybook.workspace.globs import compile_globs
from waybook.workspace.walk import SKIPPED_DIRECTORIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.workspace.box import Box

NAMES = (
    "AGENTS.md", "AGENTS.override.md", "AGENTS.local.md", "AGENT.md",
    "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/AGENTS.md",
    "GEMINI.md", "QWEN.md", ".qwen/QWEN.local.md",
    ".github/copilot-instructions.md",
    ".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".rules",
    ".prayu/instructions.md",
)  # fmt: skip
"""Names in a directory, with their folder where they have one."""

_PLAIN = {name.casefold() for name in NAMES if "/" not in name}
_NESTED: dict[str, list[str]] = {}
for _name in NAMES:
    if "/" in _name:
        _NESTED.setdefault(dirname(_name), []).append(_name)


def on_the_way(box: Box, workspace: str, bottom: str) -> tuple[tuple[str, str], ...]:
    """(directory, name as spelled) of every known file from the workspace down to a directory; remembered by the box."""
    key = ("known", workspace, bottom)
    found = box.memo.get(key)
    if found is None:
        places = down(workspace, bottom) if inside(bottom, workspace) else [workspace]
        box.memo[key] = found = tuple((place, name) for place in places for name in _in_one(box, place))
    return tuple(found)


def known_directories(box: Box, workspace: str, exclude: Sequence[str] = ()) -> list[str]:
    """The workspace and every directory below it that holds a known file, sorted; tools' own directories left out.

    `exclude` are globs as in the settings. Links to directories are not followed.
    """
    excluded = compile_globs(exclude)
    found, pending = [workspace], [workspace]
    while pending:
        place = pending.pop()
        if place != workspace and _in_one(box, place):
            found.append(place)
        for name, kind in box.entries(place).items():
            below = join(place, name)
            own = name in SKIPPED_DIRECTORIES or name.startswith(".")
            out = excluded is not None and excluded.fullmatch(below[len(workspace) :].lstrip("/"))
            if kind == "dir" and not own and not out:
                pending.append(below)
    return [workspace, *sorted(found[1:])]


def sample_file(box: Box, place: str) -> str:
    """A file of a directory that an agent may work on: the first that is no instruction file, else a new one."""
    names = sorted(name for name, kind in box.entries(place).items() if kind == "file")
    ordinary = (name for name in names if name.casefold() not in _PLAIN and not name.startswith("."))
    return join(place, next(ordinary, "new-file.txt"))


def _in_one(box: Box, place: str) -> list[str]:
    entries, folded = box.entries(place), box.folded(place)
    plain = [name for key in _PLAIN if key in folded for name in folded[key]]
    found = [name for name in plain if _is_text(box, place, name, entries[name])]
    for folder, names in _NESTED.items():
        if folder in entries:
            found += [name for name in names if box.is_file(join(place, name)) or box.is_link(join(place, name))]
    return sorted(found)


def _is_text(box: Box, place: str, name: str, kind: str) -> bool:
    return kind == "file" or (kind == "link" and box.kind(join(place, name)) in {"file", ""})
