"""wrong-case-name: names that differ by case only, and pages that are content."""

from support.markers import all_findings, check_markers, unpack, view_of


def test_near_misses_are_hinted_and_pages_are_not(tmp_path):
    """AGENTS.MD was meant; docs/agents.md is a page about agents."""
    unpack(
        "-- AGENTS.md --\nx\n-- docs/agents.md --\n# Agents\n-- svc/AGENTS.MD --\nsvc\n-- lib/Claude.md --\nx\n"
        "-- docs/Agents.md --\npage\n-- claude.md --\nx\n-- agents.md --\npage\n",
        tmp_path,
    )
    found = [item for item in all_findings(view_of(tmp_path)) if item.code == "wrong-case-name"]
    assert [item.path for item in found] == ["claude.md", "lib/Claude.md", "svc/AGENTS.MD"]
    assert {item.severity for item in found} == {"hint"}
    assert "exactly AGENTS.md" in found[2].message


def test_agents_that_do_not_mind_the_case_are_named(tmp_path):
    """Copilot CLI reads the file; Codex does not."""
    (found,) = check_markers(
        "-- .git/HEAD --\nx\n-- AGENTS.MD --\ntext\n^^^ wrong-case-name: AGENTS.MD is read by Copilot CLI only\n",
        tmp_path,
        "wrong-case-name",
        agents=("codex", "copilot-cli"),
    )
    assert found.agents == ("copilot-cli",)
