"""not-loaded-by: files that the agent they are meant for leaves out."""

from support.markers import all_findings, check_markers, view_of
from waybook.checks import CHECKS


def test_a_rule_with_broken_front_matter_and_a_misplaced_file_are_told(tmp_path):
    """By the agent they are for, while another one reads them."""
    check_markers(
        """\
-- .git/HEAD --
x
-- .claude/rules/bad.md --
---
^^^ not-loaded-by: Claude Code does not load .claude/rules/bad.md: Its front matter cannot be read
paths: [a
---
Text.
-- .clinerules/off.md --
---
disabled: true
---
Text.
-- pkg/.github/copilot-instructions.md --
VS Code reads the root's only.
^^^ not-loaded-by: Copilot in VS Code does not load pkg/.github/copilot-instructions.md
-- pkg/x.py --
-- pkg/AGENTS.md --
Not for Zed, which reads the root only.
-- GEMINI.md --
{U+0020}
^^^ not-loaded-by: Gemini CLI does not load GEMINI.md: The file is blank
-- CLAUDE.md --
Not for Zed's neighbours.
""",
        tmp_path,
        "not-loaded-by",
        agents=("claude-code", "cline", "roo-code", "vscode-copilot", "copilot-cli", "zed", "gemini-cli"),
    )


def test_what_the_settings_exclude_is_told(tmp_path):
    """Claude Code's own exclusion; nothing without an agent in use."""
    text = f"""\
-- .claude/settings.json --
{{"claudeMdExcludes": ["{tmp_path}/pkg/CLAUDE.md"]}}
-- CLAUDE.md --
Read.
-- pkg/CLAUDE.md --
Left out.
^^^ not-loaded-by: Claude Code does not load pkg/CLAUDE.md: claudeMdExcludes takes it
-- pkg/x.py --
"""
    check_markers(text, tmp_path, "not-loaded-by", agents=("claude-code", "copilot-cli"))
    checks = [check for check in CHECKS if check.code == "not-loaded-by"]
    assert all_findings(view_of(tmp_path, ("none",)), checks) == []
