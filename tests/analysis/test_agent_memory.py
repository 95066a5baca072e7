"""Answers of agents handed on from view to view: only while nothing that was looked at looks different."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from waybook.analysis.loading import AgentContext, AgentLoadings, AgentMemory, governed
from waybook.workspace.box import Box

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository whose files are old enough for their time stamps to be trusted."""
    for path, text in {
        ".git/HEAD": "x",
        "AGENTS.md": "root\n",
        "pkg/AGENTS.md": "package\n",
        "pkg/x.py": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    time.sleep(0.07)
    return tmp_path


def loadings(root: Path, memory: AgentMemory, *agents: str) -> AgentLoadings:
    return AgentLoadings(str(root), AgentContext(chosen=agents or ("codex", "claude-code")), memory)


def test_unchanged_answers_are_the_same_objects(root: Path) -> None:
    """A second view asks no agent again."""
    memory = AgentMemory()
    first = loadings(root, memory).towards("pkg/x.py")
    assert loadings(root, memory).towards("pkg/x.py") is first


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "AGENTS.md").write_text("other text\n", encoding="utf-8"),
        lambda root: (root / "CLAUDE.md").write_text("new\n", encoding="utf-8"),
        lambda root: (root / "pkg/AGENTS.md").unlink(),
        lambda root: os.replace(root / "pkg/AGENTS.md", root / "AGENTS.md"),
        lambda root: (root / ".claude").mkdir(),
        lambda root: os.utime(root / "pkg/AGENTS.md"),
    ],
    ids=["changed", "added", "removed", "moved", "settings", "touched"],
)
def test_every_change_of_what_was_looked_at_is_seen(root: Path, change) -> None:
    """Texts, names, places that were absent: the next view answers as a new one would."""
    memory = AgentMemory()
    first = loadings(root, memory).towards("pkg/x.py")
    change(root)
    second = loadings(root, memory).towards("pkg/x.py")
    assert second is not first
    assert second == loadings(root, AgentMemory()).towards("pkg/x.py")


def test_a_file_changed_just_before_the_look_is_not_trusted(root: Path) -> None:
    """A second change could hide behind the same time stamp."""
    (root / "AGENTS.md").write_text("young\n", encoding="utf-8")
    box = Box()
    assert box.text(f"{root}/AGENTS.md") == "young\n"
    assert not box.unchanged()


def test_a_verdict_tells_where_the_agent_has_to_be_started(root: Path) -> None:
    """Codex looks at a nested file only when it is started there; Claude Code comes to it by touch."""
    codex, claude = loadings(root, AgentMemory()).verdicts("pkg/AGENTS.md")
    assert (codex.state, codex.started, codex.arrives) == ("start", "pkg", True)
    assert (claude.state, claude.started, claude.arrives) == ("lazy", "", True)


@pytest.mark.parametrize(
    ("path", "directory"),
    [
        ("AGENTS.md", ""),
        ("pkg/.claude/CLAUDE.md", "pkg"),
        ("pkg/.claude/rules/a.md", "pkg"),
        (".github/copilot-instructions.md", ""),
        (".github/AGENTS.md", ".github"),
        (".agents/notes/AGENTS.md", ".agents/notes"),
        ("a/.prayu/rules/x/y.md", "a"),
    ],
)
def test_a_file_governs_the_directory_that_it_is_about(path: str, directory: str) -> None:
    """Its own, or the one that holds an agent's folder."""
    assert governed(path) == directory


def test_a_busy_directory_above_the_workspace_does_not_matter(root: Path) -> None:
    """Agents ask only whether some names are there, and these are asked for again."""
    top = root / "pkg"
    (top / ".git").mkdir()
    (top / ".git/HEAD").write_text("x", encoding="utf-8")
    time.sleep(0.07)
    memory = AgentMemory()
    first = loadings(top, memory).towards("x.py")
    (root / "noise.txt").write_text("new", encoding="utf-8")
    assert loadings(top, memory).towards("x.py") is first
    (root / "CLAUDE.md").write_text("above", encoding="utf-8")
    assert loadings(top, memory).towards("x.py") is not first
