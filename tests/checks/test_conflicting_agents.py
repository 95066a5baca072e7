"""conflicting-agents: opposites that different agents are told in one directory."""

from support.markers import all_findings, check_markers, view_of
from waybook.checks import CHECKS

TREE = """\
-- .git/HEAD --
x
-- AGENTS.md --
# Style

- Use tabs for indentation.
-- GEMINI.md --
# Style

- Use spaces for indentation.
  ^^^ conflicting-agents: Gemini CLI is told the opposite of what Codex and Cursor read in AGENTS.md, line 3 ("Use tabs for indentation.")
-- pkg/GEMINI.md --
# Style

- Use spaces for indentation.
-- .cursor/rules/a.mdc --
---
globs: "*.py"
---
- Use spaces for indentation.
"""


def test_opposites_of_two_agents_are_found(tmp_path):
    """In one directory; a nested file and a rule for some files may differ."""
    (found,) = check_markers(TREE, tmp_path, "conflicting-agents", agents=("codex", "gemini-cli", "cursor"))
    assert found.agents == ("gemini-cli", "codex", "cursor")
    assert [item.path for item in found.related] == ["AGENTS.md"]
    only = [check for check in CHECKS if check.code == "conflicting-agents"]
    assert all_findings(view_of(tmp_path, ("none",)), only) == []
    assert all_findings(view_of(tmp_path, ("codex",)), only) == [], "nobody reads GEMINI.md"


def test_one_agent_that_gets_both_is_named(tmp_path):
    """Copilot CLI reads AGENTS.md and GEMINI.md."""
    text = TREE.replace(
        "Gemini CLI is told the opposite of what Codex and Cursor read in", "Copilot CLI gets this and the opposite in"
    )
    check_markers(text, tmp_path, "conflicting-agents", agents=("copilot-cli",))
