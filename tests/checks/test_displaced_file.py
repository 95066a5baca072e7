"""displaced-file: files that give way to another file, for one agent."""

from support.markers import all_findings, check_markers, view_of
from waybook.analysis.fixing import apply_fixes
from waybook.checks import CHECKS

ONLY = [check for check in CHECKS if check.code == "displaced-file"]
TREE = """\
-- .git/HEAD --
x
-- CLAUDE.md --
For Claude.
-- AGENTS.md --
For all.
^^^ displaced-file: Claude Code does not load AGENTS.md: CLAUDE.md displaces every AGENTS.md
-- pkg/AGENTS.md --
Nested.
^^^ displaced-file: Claude Code does not load pkg/AGENTS.md
-- pkg/x.py --
"""


def test_agents_md_beside_a_claude_md_is_told_and_mended(tmp_path):
    """Each AGENTS.md that Claude Code passes over; after the fixes (an import each) Claude Code loads all of them."""
    found = check_markers(TREE, tmp_path, "displaced-file", agents=("codex", "claude-code", "opencode"))
    assert {item.agents for item in found} == {("claude-code",)}
    assert [fix.title for item in found for fix in item.fixes] == [
        "Let CLAUDE.md import AGENTS.md",
        "Add pkg/CLAUDE.md that imports pkg/AGENTS.md",
    ]
    texts = {path: item.text for path, item in view_of(tmp_path).documents.items()}
    apply_fixes(str(tmp_path), [fix for item in found for fix in item.fixes], texts)
    after = view_of(tmp_path, ("claude-code",))
    assert all_findings(after, ONLY) == []
    assert {item.path for item in after.agents.towards("pkg/x.py")[0].chain} >= {"AGENTS.md", "pkg/AGENTS.md"}


def test_zed_takes_the_first_of_its_list(tmp_path):
    """An AGENTS.md that another agent's file shadows."""
    check_markers(
        """\
-- .cursorrules --
Old.
-- AGENTS.md --
Shared.
^^^ displaced-file: Zed does not load AGENTS.md
""",
        tmp_path,
        "displaced-file",
        agents=("zed", "codex"),
    )


def test_nothing_is_said_where_the_text_arrives_or_the_file_is_for_another_agent(tmp_path):
    """Imports, the same text, a CLAUDE.md for opencode; an override is shadowed-file's; no agent in use, no finding."""
    check_markers(
        """\
-- .git/HEAD --
x
-- CLAUDE.md --
@AGENTS.md
-- AGENTS.md --
Shared.
-- same/CLAUDE.md --
One text.
-- same/AGENTS.md --
One text.
-- over/AGENTS.override.md --
Mine.
-- over/AGENTS.md --
Ours.
-- over/CLAUDE.md --
@AGENTS.md
""",
        tmp_path,
        "displaced-file",
        agents=("codex", "claude-code", "opencode", "copilot-cli"),
    )
    (tmp_path / "CLAUDE.md").write_text("No import.\n")
    assert all_findings(view_of(tmp_path, ("none",)), ONLY) == []
    assert [item.path for item in all_findings(view_of(tmp_path, ("claude-code", "codex")), ONLY)] == ["AGENTS.md"]


def test_a_file_that_displaces_many_is_told_once(tmp_path):
    """On the file to blame, with every displaced file as a related place and one fix for all."""
    nested = "".join(f"-- p{number}/AGENTS.md --\nNested {number}.\n" for number in range(9))
    marked = (
        "-- CLAUDE.md --\nFor Claude.\n^^^ displaced-file: Claude Code does not load 9 files that this one displaces: "
    )
    (found,) = check_markers(
        f"-- .git/HEAD --\nx\n{marked}\n{nested}", tmp_path, "displaced-file", agents=("codex", "claude-code")
    )
    assert [item.path for item in found.related] == [f"p{number}/AGENTS.md" for number in range(9)]
    texts = {path: item.text for path, item in view_of(tmp_path).documents.items()}
    apply_fixes(str(tmp_path), found.fixes, texts)
    assert all_findings(view_of(tmp_path, ("codex", "claude-code")), ONLY) == []
