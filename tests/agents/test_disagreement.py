"""One tree, six agents: where the real programs were measured to disagree, the answers disagree in the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents.trees import Link, ask, lazy, plant, start

if TYPE_CHECKING:
    from pathlib import Path

A, C, P = "AGENTS.md", "CLAUDE.md", "pkg/AGENTS.md"
AGENTS = ("codex", "claude-code", "copilot-cli", "opencode", "gemini-cli", "cline")
VENDORS = {
    A: "a", C: "c", "GEMINI.md": "g", ".github/copilot-instructions.md": "i",
    ".github/instructions/x.instructions.md": "x", ".claude/rules/r.md": "r", ".clinerules/a.md": "n", ".cursorrules": "o",
}  # fmt: skip

TABLE: list[tuple[str, dict[str, Any], str, list[str]]] = [
    ("T1", {A: "a", C: "c", P: "p"}, "", ["A", "C", "A C + P", "A + P", "", "A"]),
    ("T2", {A: "a", C: "c", P: "p"}, "pkg", ["A P", "C", "A C P", "P A", "", "P"]),
    ("T3", {A: "a", "pkg/CLAUDE.md": "q"}, "", ["A", "A + Q", "A + Q", "A + Q", "", "A"]),
    ("T4", {C: "c", "pkg/CLAUDE.md": "q"}, "", ["", "C + Q", "C + Q", "C + Q", "", ""]),
    ("T5", {A: "a", "AGENTS.override.md": ""}, "", ["", "A", "A", "A", "", "A"]),
    ("T6", {A: "a", "AGENTS.override.md": "o"}, "", ["O", "A", "A", "A", "", "A"]),
    ("T7", {A: "", C: "c"}, "", ["", "C", "C", "", "", ""]),
    ("T8", {A: "a", C: ""}, "", ["A", "A", "A", "A", "", "A"]),
    ("T9", {A: "a", C: Link("AGENTS.md")}, "", ["A", "C", "A", "A", "", "A"]),
    ("T11", {"agents.md": "a"}, "", ["", "", "agents.md", "", "", ""]),
    ("T12", {"/w/AGENTS.md": "x", "/w/CLAUDE.md": "y", A: "a"}, "", ["A", "/w/CLAUDE.md", "A", "A", "", "A"]),
    ("T14", {A: "a" * 40_000, P: "p"}, "pkg", ["A", "A P", "A P", "P A", "", "P"]),
    ("T15", {A: "a", "AGENTS.local.md": "l", "CLAUDE.local.md": "m"}, "", ["A", "M", "A", "A", "", "A"]),
    ("T13", VENDORS, "", ["A", "C R", "I A C G X R", "A", "G", "N A"]),
]

LETTERS = {
    "A": A, "C": C, "P": P, "Q": "pkg/CLAUDE.md", "O": "AGENTS.override.md", "M": "CLAUDE.local.md", "G": "GEMINI.md",
    "I": ".github/copilot-instructions.md", "X": ".github/instructions/x.instructions.md", "R": ".claude/rules/r.md",
    "N": ".clinerules/a.md",
}  # fmt: skip


@pytest.mark.parametrize(("tree", "cwd", "rows"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_agents_disagree_as_measured(tmp_path: Path, tree: dict[str, Any], cwd: str, rows: list[str]) -> None:
    """The target is pkg/src/x.py and git is at the root."""
    plant(tmp_path, {".git": None, **tree, "pkg/src/x.py": "x"})
    for agent, row in zip(AGENTS, rows, strict=True):
        first, _, later = row.partition("+")
        answer = ask(tmp_path, agent, "pkg/src/x.py", cwd)
        assert start(answer) == [LETTERS.get(word, word) for word in first.split()], agent
        assert lazy(answer) == [LETTERS.get(word, word) for word in later.split()], agent


def test_imports_and_comments_differ(tmp_path: Path) -> None:
    """T10: only Claude Code and Copilot CLI bring the imported file."""
    plant(tmp_path, {".git": None, A: "a\n\n@x.md\n\n<!-- hidden -->\n", "x.md": "x"})
    found = {agent: start(ask(tmp_path, agent)) for agent in AGENTS}
    assert found == {
        "codex": [A],
        "claude-code": [A, "x.md"],
        "copilot-cli": [A, "x.md"],
        "opencode": [A],
        "gemini-cli": [],
        "cline": [A],
    }


def test_without_git_the_boundaries_differ(tmp_path: Path) -> None:
    """T16: no repository, started in pkg."""
    plant(tmp_path, {A: "a", P: "p"})
    found = {agent: start(ask(tmp_path, agent, cwd="pkg")) for agent in AGENTS}
    assert found == {
        "codex": [P],
        "claude-code": [A, P],
        "copilot-cli": [P],
        "opencode": [P, A],
        "gemini-cli": [],
        "cline": [P],
    }
