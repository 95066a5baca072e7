"""Instruction files of single agents, found by name."""

from __future__ import annotations

import os

import pytest

from waybook.workspace.agent_files import AgentFile, agent_file, listed_agent_files, near_agent_files
from waybook.workspace.walk import instruction_scopes

FILES = {
    "GEMINI.md": AgentFile("plain", ""),
    "a/QWEN.md": AgentFile("plain", "a"),
    ".cursorrules": AgentFile("plain", ""),
    ".clinerules/a.md": AgentFile("cline-rule", ""),
    ".github/copilot-instructions.md": AgentFile("plain", ""),
    "a/.github/instructions/deep/b.Instructions.md": AgentFile("copilot-rule", "a"),
    ".claude/rules/x/a.md": AgentFile("claude-rule", ""),
    "a/b/.cursor/rules/x.mdc": AgentFile("cursor-rule", "a/b"),
    ".windsurf/rules/w.md": AgentFile("windsurf-rule", ""),
    ".devin/rules/w.md": AgentFile("windsurf-rule", ""),
    ".roo/rules-code/r.md": AgentFile("roo-rule", ""),
    ".qwen/QWEN.local.md": AgentFile("plain", ""),
    ".qwen/rules/q.md": AgentFile("qwen-rule", ""),
    ".cline/rules/c.txt": AgentFile("cline-rule", ""),
}
OTHERS = (
    "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", ".prayu/rules/a.md", "rules/a.md", ".github/instructions/plain.md",
    ".clinerules/deep/a.md", ".cursor/rules/x.md", ".github/workflows/x.yml", "gemini.md", "docs/.github.md",
)  # fmt: skip


@pytest.mark.parametrize("path", [*FILES, *OTHERS])
def test_a_path_says_which_agents_file_it_is(path: str) -> None:
    """Each family by name and folder, with the directory it is about; the .prayu profile's files are none."""
    assert agent_file(path) == FILES.get(path)


def test_a_scan_and_a_look_at_few_directories_find_the_same(tmp_path) -> None:
    """Folders and links are told from files; an exclude glob hides; the scopes of the .prayu profile stay as they are."""
    for path in (*FILES, *OTHERS, "a/GEMINI.md/x", "out/GEMINI.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("text\n", encoding="utf-8")
    os.symlink("AGENTS.md", tmp_path / "AGENT.md")
    root = str(tmp_path)
    scan = instruction_scopes(root, ["out/"])
    found = listed_agent_files(root, scan.listings, ["out/"])
    assert set(found.files) == set(FILES)
    assert found.links == (("AGENT.md", "AGENTS.md"),)
    assert near_agent_files(root, ["", "a", "a/b"]) == found
    assert [item.scope for item in scan.scopes] == [""]
