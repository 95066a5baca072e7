"""never-loaded: files that reach no agent in use."""

from support.markers import all_findings, check_markers, view_of
from waybook.checks import CHECKS

TREE = """\
-- AGENTS.md --
Shared.
-- GEMINI.md --
Only for Gemini.
^^^ never-loaded: No agent in use (Codex and Claude Code) loads GEMINI.md; Gemini CLI would.
-- pkg/.cursorrules --
Old rules.
^^^ never-loaded: No agent in use (Codex and Claude Code) loads pkg/.cursorrules; Cursor would.
-- pkg/CLAUDE.md --
Nested, read on touch.
-- pkg/AGENTS.md --
Codex reads it when it is started here.
-- .claude/rules/a.md --
---
paths: src/**
---
For some files.
-- QWEN.md --
-- AGENT.md -> AGENTS.md --
"""


def test_files_of_agents_that_are_not_in_use_are_found(tmp_path):
    """Blank files, links, files for some targets and files of one directory are none of them."""
    found = check_markers(TREE, tmp_path, "never-loaded", agents=("codex", "claude-code"))
    assert {item.agents for item in found} == {("codex", "claude-code")}
    checks = [check for check in CHECKS if check.code == "never-loaded"]
    assert all_findings(view_of(tmp_path, ("none",)), checks) == []


def test_the_reason_of_the_agent_it_is_meant_for_is_told(tmp_path):
    """Cursor reads its old file at the root only."""
    check_markers(
        """\
-- .cursorrules --
Read.
-- pkg/.cursorrules --
Not read.
^^^ never-loaded: No agent in use (Cursor) loads pkg/.cursorrules: Cursor does not look here
-- pkg/x.py --
""",
        tmp_path,
        "never-loaded",
        agents=("cursor",),
    )


def test_a_text_that_arrives_under_another_name_is_not_lost(tmp_path):
    """Copilot CLI counts the same text once; what the .prayu profile reads is read where that profile is in use."""
    check_markers(
        "-- .git/HEAD --\nx\n-- AGENTS.md --\nSame.\n-- GEMINI.md --\nSame.\n",
        tmp_path,
        "never-loaded",
        agents=("copilot-cli",),
    )
    checks = [check for check in CHECKS if check.code == "never-loaded"]
    assert all_findings(view_of(tmp_path), checks) == [], "agents found by traces may not be all"
    assert all_findings(view_of(tmp_path, ("gemini-cli", "prayu")), checks) == []
    (told,) = all_findings(view_of(tmp_path, ("gemini-cli",)), checks)
    assert told.message == "No agent in use (Gemini CLI) loads AGENTS.md."
