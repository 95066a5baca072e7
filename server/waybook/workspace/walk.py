"""Which directories of a workspace hold instruction files, by name alone; links are never followed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from waybook.base.cancel import Progress
from waybook.workspace.globs import compile_globs
from waybook.workspace.opening import is_link

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

SKIPPED_DIRECTORIES = frozenset(
    {
        ".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", "node_modules", "bower_components", ".venv", "venv",
        "__pycache__", "__pypackages__", ".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis",
        ".cache", ".gradle", ".terraform", ".direnv", ".eggs", ".next", ".nuxt", ".turbo", ".yarn", ".pnpm-store",
    },
)  # fmt: skip
"""Directories of tools and caches that nobody keeps instructions of their own in."""

CANDIDATE_NAMES = ("AGENTS.override.md", "AGENTS.md", "CLAUDE.md")
"""Candidates in a directory itself; besides them `.claude/CLAUDE.md`, `.prayu/instructions.md`, `.prayu/rules/**.md`."""
_PLAIN = frozenset(CANDIDATE_NAMES)
_LENGTHS = frozenset(len(name) for name in CANDIDATE_NAMES)
_BY_LOWER = {name.lower(): name for name in CANDIDATE_NAMES}
_STEP = 256


@dataclass(frozen=True, slots=True)
class ScopeFiles:
    """A directory ("" is the root) and the candidates found in it, as sorted slash paths."""

    scope: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A name that differs from a candidate's in case only: `path` is there, `expected` would be read."""

    path: str
    expected: str


@dataclass(frozen=True, slots=True)
class LinkedCandidate:
    """A candidate, or a directory that would hold candidates, that is a symbolic link."""

    path: str
    link_target: str


@dataclass(frozen=True, slots=True)
class Scan:
    """What a walk found, each list sorted; `unreadable` are directories that could not be listed.

    `listings`: the names in each directory entered, sorted; `skipped`: the tools' directories that were not entered.
    """

    scopes: tuple[ScopeFiles, ...]
    near_misses: tuple[NearMiss, ...]
    links: tuple[LinkedCandidate, ...]
    unreadable: tuple[str, ...]
    directories: int
    entries: int
    listings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()


@dataclass(slots=True)
class _Walk:
    root: str
    excluded: re.Pattern[str] | None
    progress: Progress
    found: dict[str, list[str]] = field(default_factory=dict)
    near_misses: list[NearMiss] = field(default_factory=list)
    links: list[LinkedCandidate] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    pending: list[tuple[str, str]] = field(default_factory=list)
    directories: int = 0
    entries: int = 0
    listings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)

    def list(self, directory: str, path: str) -> list[os.DirEntry[str]]:
        """The entries of a directory; one that cannot be listed is noted."""
        self.directories += 1
        if self.directories % _STEP == 0:
            self.progress.step("looking for instruction files", self.directories)
        try:
            with os.scandir(directory) as entries:
                listed = list(entries)
        except OSError:
            self.unreadable.append(path or ".")
            return []
        self.entries += len(listed)
        self.listings[path] = tuple(sorted([entry.name for entry in listed]))
        return listed

    def add(self, scope: str, path: str, entry: os.DirEntry[str]) -> None:
        """Note a candidate, and whether it is a link."""
        self.found.setdefault(scope, []).append(path)
        self.note_link(path, entry)

    def note_link(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Whether an entry is a link; it is noted then."""
        if not _is_link(entry):
            return False
        try:
            link_target = os.readlink(entry.path)
        except OSError:
            link_target = ""
        self.links.append(LinkedCandidate(path, link_target))
        return True

    def keeps(self, path: str) -> bool:
        """Whether no exclude glob covers this path."""
        return self.excluded is None or self.excluded.fullmatch(path) is None


def instruction_scopes(root: str, exclude: Sequence[str] = (), progress: Progress | None = None) -> Scan:
    """Every directory below `root` (absolute) that holds an instruction candidate by name.

    A candidate counts whatever it is (a link, a directory, a pipe): discovery says what is wrong with it. Tool and
    cache directories (`SKIPPED_DIRECTORIES`) and everything `exclude` matches are left out. Raises `CancelledError`.
    """
    walk = _Walk(root, compile_globs(exclude), progress or Progress())
    walk.progress.step("looking for instruction files")
    walk.pending.append((root, ""))
    while walk.pending:
        _visit(walk, *walk.pending.pop())
    return Scan(
        scopes=tuple(ScopeFiles(scope, tuple(sorted(set(walk.found[scope])))) for scope in sorted(walk.found)),
        near_misses=tuple(sorted(set(walk.near_misses), key=lambda item: item.path)),
        links=tuple(sorted(set(walk.links), key=lambda item: item.path)),
        unreadable=tuple(sorted(walk.unreadable)),
        directories=walk.directories,
        entries=walk.entries,
        listings=walk.listings,
        skipped=tuple(sorted(walk.skipped)),
    )


def _visit(walk: _Walk, directory: str, scope: str) -> None:
    prefix = f"{scope}/" if scope else ""
    in_claude = scope == ".claude" or scope.endswith("/.claude")
    for entry in walk.list(directory, scope):
        name = entry.name
        if len(name) in _LENGTHS and name.lower() in _BY_LOWER:
            _note_candidate(walk, entry, scope, in_claude=in_claude)
        if entry.is_dir(follow_symlinks=False):
            if name in SKIPPED_DIRECTORIES:
                walk.skipped.append(prefix + name)
            elif not _is_junction(entry) and walk.keeps(prefix + name):
                walk.pending.append((entry.path, prefix + name))
                if name == ".prayu":
                    _visit_prayu(walk, entry.path, scope)
        elif name in {".claude", ".prayu"} and walk.keeps(prefix + name) and walk.note_link(prefix + name, entry):
            walk.found.setdefault(scope, []).append(prefix + name)


def _note_candidate(walk: _Walk, entry: os.DirEntry[str], scope: str, *, in_claude: bool) -> None:
    """A file with a candidate's name, or nearly; the one in `.claude` belongs to the directory above."""
    name = entry.name
    path = f"{scope}/{name}" if scope else name
    if not walk.keeps(path):
        return
    if name not in _PLAIN:
        expected = _BY_LOWER[name.lower()]
        walk.near_misses.append(NearMiss(path, f"{scope}/{expected}" if scope else expected))
    elif in_claude and name == "CLAUDE.md":
        walk.add(scope.removesuffix(".claude").removesuffix("/"), path, entry)
    else:
        walk.add(scope, path, entry)


def _visit_prayu(walk: _Walk, directory: str, scope: str) -> None:
    """The instructions and rules in one `.prayu` directory."""
    prefix = f"{scope}/.prayu" if scope else ".prayu"
    for entry in walk.list(directory, prefix):
        path = f"{prefix}/{entry.name}"
        if not walk.keeps(path):
            continue
        if entry.name == "instructions.md":
            walk.add(scope, path, entry)
        elif entry.name.lower() == "instructions.md":
            walk.near_misses.append(NearMiss(path, f"{prefix}/instructions.md"))
        elif entry.name == "rules":
            if entry.is_dir(follow_symlinks=False) and not _is_junction(entry):
                _visit_rules(walk, entry.path, path, scope)
            else:
                walk.add(scope, path, entry)


def _visit_rules(walk: _Walk, directory: str, path: str, scope: str) -> None:
    pending = [(directory, path)]
    while pending:
        here, prefix = pending.pop()
        for entry in walk.list(here, prefix):
            inside = f"{prefix}/{entry.name}"
            if not walk.keeps(inside):
                continue
            if entry.is_dir(follow_symlinks=False) and not _is_junction(entry):
                pending.append((entry.path, inside))
            elif entry.name.lower().endswith(".md") or not entry.is_file(follow_symlinks=False):
                walk.add(scope, inside, entry)


def rule_candidates(root: str, rules: str) -> list[str]:
    """What stands below one `rules` directory that discovery reads or refuses; the directory itself if it is a link."""
    walk = _Walk(root, None, Progress())
    if os.path.islink(f"{root}/{rules}"):
        return [rules]
    if os.path.isdir(f"{root}/{rules}"):
        _visit_rules(walk, f"{root}/{rules}", rules, "")
    return walk.found.get("", [])


def _is_link(entry: os.DirEntry[str]) -> bool:
    return entry.is_symlink() or _is_junction(entry)


def _is_junction(entry: os.DirEntry[str]) -> bool:
    return os.name == "nt" and is_link(entry.stat(follow_symlinks=False))
