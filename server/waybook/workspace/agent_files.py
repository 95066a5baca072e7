"""Instruction files of single agents, by name alone: those that the `.prayu` profile does not know.

Taken from a walk's listings, so that finding them costs a scan nothing but a look at names it has read anyhow.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from waybook.workspace.globs import compile_globs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Family = Literal[
    "plain", "claude-rule", "copilot-rule", "cursor-rule", "cline-rule", "windsurf-rule", "roo-rule", "qwen-rule"
]
"""`plain`: read as a whole by its name. The others stand in a folder of rules and may have front matter that counts."""

NAMES = frozenset(
    {
        "GEMINI.md", "QWEN.md", "AGENT.md", "AGENTS.local.md", "CLAUDE.local.md",
        ".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".rules",
    },
)  # fmt: skip
"""Files of any directory."""

_IN_FOLDER = {".github": "copilot-instructions.md", ".qwen": "QWEN.local.md"}
"""Files of a directory that stand in a folder of their own."""

_RULES: tuple[tuple[Family, str, tuple[str, ...]], ...] = (
    ("claude-rule", r"\.claude/rules(?:/.*)?", (".md",)),
    ("copilot-rule", r"\.github/instructions(?:/.*)?", (".instructions.md",)),
    ("cursor-rule", r"\.cursor/rules(?:/.*)?", (".mdc",)),
    ("cline-rule", r"\.clinerules|\.cline/rules", (".md", ".markdown", ".txt")),
    ("windsurf-rule", r"\.(?:windsurf|devin)/rules(?:/.*)?", (".md",)),
    ("roo-rule", r"\.roo/rules(?:-[^/]+)?(?:/.*)?", (".md", ".txt")),
    ("qwen-rule", r"\.qwen/rules(?:/.*)?", (".md",)),
)
_FOLDERS = frozenset({".github", ".claude", ".cursor", ".clinerules", ".cline", ".windsurf", ".devin", ".roo", ".qwen"})
_FOLDER = re.compile("(?P<owner>(?:.*/)?)(?:" + "|".join(f"({folder})" for _, folder, _ in _RULES) + ")")
"""A rules folder and all below it; the owner is the directory that the folder stands in, with its slash."""
FOLDERS = (*sorted(_FOLDERS), ".prayu")
"""Every folder of a directory that instruction files may stand in, the `.prayu` profile's own among them."""
_MOST = 2_000
"""Names looked at below one folder of rules when a single file is asked about; nobody has as many rules."""


@dataclass(frozen=True, slots=True)
class AgentFile:
    """What a path says by itself: the family, and the directory that the file is about ("" is the root)."""

    family: Family
    owner: str


@dataclass(frozen=True, slots=True)
class AgentFiles:
    """What was found: sorted paths of files, and those of links with their link texts."""

    files: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


@lru_cache(maxsize=8_192)
def agent_file(path: str) -> AgentFile | None:
    """What an instruction file of single agents is; None for every other path, the `.prayu` profile's files among them."""
    directory, _, name = path.rpartition("/")
    last = directory.rpartition("/")[2]
    if name in NAMES and last not in _FOLDERS:
        return AgentFile("plain", directory)
    if _IN_FOLDER.get(last) == name:
        return AgentFile("plain", directory[: -len(last)].rstrip("/"))
    match = _FOLDER.fullmatch(directory) if "/." in f"/{directory}" else None
    if match is None or match.lastindex is None:
        return None
    family, _, ends = _RULES[match.lastindex - 2]
    return AgentFile(family, match["owner"].rstrip("/")) if name.lower().endswith(ends) else None


def listed_agent_files(root: str, listings: Mapping[str, tuple[str, ...]], exclude: Sequence[str] = ()) -> AgentFiles:
    """Every such file in a walk's listings (directory -> names). `exclude` as in the settings."""
    excluded = compile_globs(exclude)
    found = (path for path in _candidates(listings) if excluded is None or not excluded.fullmatch(path))
    return _sorted_by_kind(root, found)


def near_agent_files(root: str, directories: Iterable[str]) -> AgentFiles:
    """Those of a few workspace-relative directories, looked up by name; only folders of rules are listed."""
    found: list[str] = []
    for directory in sorted(set(directories)):
        prefix = f"{directory}/" if directory else ""
        found += [prefix + name for name in NAMES if os.path.lexists(f"{root}/{prefix}{name}")]
        for folder in _FOLDERS:
            if os.path.isdir(f"{root}/{prefix}{folder}"):
                found += _candidates(_below(root, prefix + folder))
    return _sorted_by_kind(root, found)


def _candidates(listings: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for directory, names in listings.items():
        prefix = f"{directory}/" if directory else ""
        inside = "." in directory and (_FOLDER.fullmatch(directory) or directory.rpartition("/")[2] in _IN_FOLDER)
        if inside:
            yield from (prefix + name for name in names if agent_file(prefix + name))
        elif not NAMES.isdisjoint(names):
            yield from (prefix + name for name in names if name in NAMES and agent_file(prefix + name))


def _below(root: str, folder: str) -> dict[str, tuple[str, ...]]:
    """The names in the folders of rules below one agent's folder, links not followed."""
    listings: dict[str, tuple[str, ...]] = {}
    seen = 0
    for place, directories, files in os.walk(f"{root}/{folder}"):
        here = place[len(root) + 1 :]
        directories[:] = [name for name in directories if _leads_to_rules(f"{here}/{name}")]
        listings[here] = tuple(files)
        seen += len(files)
        if seen > _MOST:
            break
    return listings


def rule_folders(root: str, folder: str) -> Iterator[str]:
    """The full paths of an agent's folder and the folders of rules below it, those of the `.prayu` profile too."""
    for place, directories, _ in os.walk(f"{root}/{folder}"):
        yield place
        here = place[len(root) + 1 :]
        directories[:] = [name for name in directories if _leads_to_rules(f"{here}/{name}")]


def _leads_to_rules(directory: str) -> bool:
    return _FOLDER.fullmatch(directory) is not None or "/.prayu/rules/" in f"/{directory}/"


def _sorted_by_kind(root: str, paths: Iterable[str]) -> AgentFiles:
    files: list[str] = []
    links: list[tuple[str, str]] = []
    for path in sorted(set(paths)):
        place = f"{root}/{path}"
        if os.path.islink(place):
            try:
                links.append((path, os.readlink(place)))
            except OSError:
                continue
        elif os.path.isfile(place):
            files.append(path)
    return AgentFiles(tuple(files), tuple(links))
