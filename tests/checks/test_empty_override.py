"""empty-override: a blank AGENTS.override.md."""

from support.markers import all_findings, check_markers, unpack, view_of
from waybook.analysis.findings import DeleteFile


def test_a_blank_override_can_be_removed_or_filled(tmp_path):
    """The message says what applies instead; nothing is applied unasked."""
    unpack("-- AGENTS.md --\nx\n-- AGENTS.override.md --\n \n\n", tmp_path)
    (found,) = all_findings(view_of(tmp_path))
    assert (found.code, found.path) == ("empty-override", "AGENTS.override.md")
    assert "AGENTS.md applies instead" in found.message
    assert found.fixes[0].edits[0] == DeleteFile("AGENTS.override.md")
    assert not any(fix.preferred for fix in found.fixes)


def test_an_override_with_text_is_left_alone(tmp_path):
    """A comment is text, too."""
    check_markers("-- AGENTS.override.md --\n<!-- none yet -->\n-- a/AGENTS.md --\nx\n", tmp_path, "empty-override")
