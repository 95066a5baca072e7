"""Which directories hold instruction files."""

from __future__ import annotations

import pytest

from waybook.base.cancel import Progress
from waybook.base.errors import CancelledError
from waybook.workspace.walk import LinkedCandidate, NearMiss, instruction_scopes
from workspace.trees import Fifo, Link, lay

TREE = {
    "AGENTS.md": "a",
    "AGENTS.override.md": "o",
    "a/.claude/CLAUDE.md": "c",
    "a/.claude/AGENTS.md": "of .claude itself",
    "b/.prayu/instructions.md": "i",
    "b/.prayu/rules/x/R.MD": "r",
    "b/.prayu/rules/n.txt": "n",
    "b/.prayu/rules/l.txt": Link("n.txt"),
    "c/CLAUDE.md": Link("../AGENTS.md"),
    "d/agents.md": "near",
    "d/.prayu/Instructions.md": "near",
    "e/AGENTS.md": Fifo(),
    "f/CLAUDE.md/x": "a directory",
    "g/.prayu": Link("../b/.prayu"),
    "h/.prayu/rules": Link("../../b"),
    "loop/self": Link(".."),
    "node_modules/p/AGENTS.md": "vendored",
    ".git/AGENTS.md": "no",
    "vendor/p/AGENTS.md": "excluded",
}


def test_scopes_candidates_links_and_near_misses(tmp_path):
    """Candidates count by exact name whatever they are; links and wrong case are told besides; links are not entered."""
    scan = instruction_scopes(lay(tmp_path / "ws", TREE), exclude=["vendor/"])
    assert {item.scope: item.candidates for item in scan.scopes} == {
        "": ("AGENTS.md", "AGENTS.override.md"),
        "a": ("a/.claude/CLAUDE.md",),
        "a/.claude": ("a/.claude/AGENTS.md",),
        "b": ("b/.prayu/instructions.md", "b/.prayu/rules/l.txt", "b/.prayu/rules/x/R.MD"),
        "c": ("c/CLAUDE.md",),
        "e": ("e/AGENTS.md",),
        "f": ("f/CLAUDE.md",),
        "g": ("g/.prayu",),
        "h": ("h/.prayu/rules",),
    }
    assert scan.near_misses == (
        NearMiss("d/.prayu/Instructions.md", "d/.prayu/instructions.md"),
        NearMiss("d/agents.md", "d/AGENTS.md"),
    )
    assert scan.links == (
        LinkedCandidate("b/.prayu/rules/l.txt", "n.txt"),
        LinkedCandidate("c/CLAUDE.md", "../AGENTS.md"),
        LinkedCandidate("g/.prayu", "../b/.prayu"),
        LinkedCandidate("h/.prayu/rules", "../../b"),
    )
    assert scan.unreadable == ()


@pytest.mark.parametrize(
    "pattern", ["vendor", "vendor/**", "v*", "vendor/p", "**/p/AGENTS.md", "./vendor/", "{oops,[vendor"]
)
def test_exclude_globs(tmp_path, pattern):
    """Names match at any depth, paths from the root; a pattern that cannot be read matches nothing."""
    root = lay(tmp_path / "ws", {"vendor/p/AGENTS.md": "x", "src/AGENTS.md": "y"})
    scopes = [item.scope for item in instruction_scopes(root, exclude=[pattern]).scopes]
    assert scopes == (["src", "vendor/p"] if "oops" in pattern else ["src"])


def test_a_walk_can_be_cancelled(tmp_path):
    """Cancelling stops it at the next step."""
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        instruction_scopes(lay(tmp_path / "ws", {"AGENTS.md": "x"}), progress=progress)
