"""What hovers and lenses say about the agents in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.markers import unpack, view_of
from waybook.editor.hover import hover
from waybook.editor.lens import lenses

if TYPE_CHECKING:
    from pathlib import Path

TREE = """\
-- .git/HEAD --
x
-- AGENTS.md --
Shared.
-- CLAUDE.md --
For Claude.
-- GEMINI.md --
For Gemini.
-- pkg/AGENTS.md --
Nested.
-- pkg/x.py --
-- AGENT.md -> AGENTS.md --
"""
FIVE = ("codex", "claude-code", "copilot-cli", "gemini-cli", "opencode")


def said(root: Path, path: str, agents: tuple[str, ...] = FIVE) -> str:
    found = hover(view_of(root, agents), path)
    assert found is not None
    return found.markdown


def test_a_hover_tells_who_loads_a_file_and_who_does_not_and_why(root: Path) -> None:
    """When it arrives, where the agent has to be started, and the reason of every other agent."""
    unpack(TREE, root)
    nested = said(root, "pkg/AGENTS.md")
    assert (
        "**3 of 5 agents** load this: Codex (started in `pkg/`), Copilot CLI (when a file there is read or edited), "
        "opencode (when a file there is read or edited)"
    ) in nested
    assert "- not by Claude Code: CLAUDE.md displaces it." in nested
    assert "- not by Gemini CLI: " in nested
    assert "- Kind `" in nested, "what the .prayu profile says stays"


def test_a_file_of_single_agents_is_told_as_such(root: Path) -> None:
    """It has no scope in the .prayu profile; without an agent in use that is said."""
    unpack(TREE, root)
    text = said(root, "GEMINI.md")
    assert text.startswith(
        "**`GEMINI.md`** is about the whole workspace: an instruction file of single agents, 12 bytes"
    )
    assert "**2 of 5 agents** load this: Copilot CLI, Gemini CLI" in text
    assert "No agent is in use here" in said(root, "GEMINI.md", ("none",))
    assert "is a symbolic link to `AGENTS.md`" in said(root, "AGENT.md")


def test_any_other_file_shows_each_agents_chain(root: Path) -> None:
    """In the agent's own order, with the bytes that arrive."""
    unpack(TREE, root)
    lines = said(root, "pkg/x.py").splitlines()
    assert "- Codex: `AGENTS.md`; 8 bytes" in lines
    assert "- Gemini CLI: `GEMINI.md`; 12 bytes" in lines
    assert "By agent" not in said(root, "pkg/x.py", ("none",))


def test_a_lens_counts_the_agents(root: Path) -> None:
    """Between size and pin; a file of single agents has nothing to pin."""
    unpack(TREE, root)
    view = view_of(root, FIVE)
    assert lenses(view, "AGENTS.md")[0].title == "applies to the whole workspace · 8 bytes · 3 of 5 agents · not pinned"
    assert [lens.title for lens in lenses(view, "GEMINI.md")] == [
        "about the whole workspace · 12 bytes · 2 of 5 agents"
    ]
