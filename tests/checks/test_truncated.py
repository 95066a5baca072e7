"""truncated: what a size limit of an agent in use costs."""

from support.markers import all_findings, check_markers, unpack, view_of
from waybook.checks import CHECKS

ONLY = [check for check in CHECKS if check.code == "truncated"]


def test_the_lost_end_and_the_files_behind_it_are_marked(tmp_path):
    """Codex: the root file is cut at the budget, the nearest file is lost; Claude Code loads everything."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".codex").mkdir()
    (tmp_path / "AGENTS.md").write_bytes(b"\xef\xbb\xbf" + "ä".encode() * 16_382 + b"xyz and more\n")
    unpack("-- api/AGENTS.md --\nNearest rules.\n-- api/x.py --\n", tmp_path)
    view = view_of(tmp_path, ("claude-code", "codex"))
    cut, lost = all_findings(view, ONLY)
    text = view.documents["AGENTS.md"].text
    assert text[cut.span.start : cut.span.end] == "yz and more\n", "3 + 32,764 bytes and one more arrive"
    assert cut.message == "Codex stops here: 32,768 of 32,780 bytes arrive, the rest is lost."
    assert (lost.path, lost.agents, cut.agents) == ("api/AGENTS.md", ("codex",), ("codex",))
    assert lost.message == (
        "Codex, started in api, does not load api/AGENTS.md: AGENTS.md (32,780 bytes) has used up the budget."
    )
    assert [item.path for item in lost.related] == ["AGENTS.md"]


def test_a_character_that_the_cut_splits_is_lost(tmp_path):
    """The marked range begins with the split character."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "AGENTS.md").write_bytes(b"x" + "ä".encode() * 16_384)
    view = view_of(tmp_path, ("codex",))
    (cut,) = all_findings(view, ONLY)
    assert cut.span.start == 1 + 16_383


def test_a_limit_of_which_the_documents_do_not_say_more_is_told(tmp_path):
    """Windsurf: 12,000 characters for a rule; cut or refused is not known, so the file as a whole is marked."""
    rule = "---\ntrigger: always_on\n---\n" + "word " * 2_500
    check_markers(
        f"-- .windsurf/rules/long.md --\n---\n^^^ truncated: longer than Windsurf takes\n{rule[4:]}\n",
        tmp_path,
        "truncated",
        agents=("windsurf",),
    )


def test_long_files_within_the_limits_and_other_agents_are_not_flagged(tmp_path):
    """Exactly the budget is within it; no agent in use means no finding; a comment silences one."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "AGENTS.md").write_bytes(b"x" * 32_768)
    assert all_findings(view_of(tmp_path, ("codex", "opencode")), ONLY) == []
    (tmp_path / "AGENTS.md").write_bytes(b"x" * 32_769)
    assert all_findings(view_of(tmp_path, ("none",)), ONLY) == []
    assert all_findings(view_of(tmp_path, ("opencode",)), ONLY) == []
    assert len(all_findings(view_of(tmp_path, ("codex",)), ONLY)) == 1
    (tmp_path / "AGENTS.md").write_bytes(b"<!-- waybook: allow-file truncated -->\n" + b"x" * 32_769)
    assert all_findings(view_of(tmp_path, ("codex",)), ONLY) == []
