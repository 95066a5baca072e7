"""The scopes that govern a few directories, looked up by name: no directory is listed but `.prayu/rules`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from waybook.workspace.walk import CANDIDATE_NAMES, LinkedCandidate, Scan, ScopeFiles, rule_candidates

if TYPE_CHECKING:
    from collections.abc import Iterable


def governing_scopes(root: str, directories: Iterable[str]) -> Scan:
    """Like `walk.instruction_scopes`, for the workspace-relative directories named and every one above them.

    Names that differ by case are not looked for; a whole scan does that.
    """
    found: list[ScopeFiles] = []
    links: list[LinkedCandidate] = []
    for scope in sorted({above for directory in directories for above in upwards(directory)}):
        candidates = sorted(_candidates(root, scope))
        if not candidates:
            continue
        found.append(ScopeFiles(scope, tuple(candidates)))
        links += [
            LinkedCandidate(path, os.readlink(f"{root}/{path}"))
            for path in candidates
            if os.path.islink(f"{root}/{path}")
        ]
    return Scan(tuple(found), (), tuple(links), (), len(found), 0)


def upwards(directory: str) -> Iterable[str]:
    """A workspace-relative directory and every one above it, the root ("") among them."""
    clean = "" if directory == "." else directory
    yield clean
    while clean:
        clean = clean.rpartition("/")[0]
        yield clean


def _candidates(root: str, scope: str) -> Iterable[str]:
    """The candidates present in one directory; a linked `.claude` or `.prayu` counts as one itself."""
    prefix = f"{scope}/" if scope else ""
    for name in CANDIDATE_NAMES:
        if os.path.lexists(f"{root}/{prefix}{name}"):
            yield f"{prefix}{name}"
    for folder, names in ((".claude", ("CLAUDE.md",)), (".prayu", ("instructions.md",))):
        if os.path.islink(f"{root}/{prefix}{folder}"):
            yield f"{prefix}{folder}"
            continue
        for name in names:
            if os.path.lexists(f"{root}/{prefix}{folder}/{name}"):
                yield f"{prefix}{folder}/{name}"
    if not os.path.islink(f"{root}/{prefix}.prayu"):
        yield from rule_candidates(root, f"{prefix}.prayu/rules")
