"""discovery-failed: one finding per cause, on the file that caused it."""

from support.markers import all_findings, check_markers, unpack, view_of
from waybook.analysis.findings import DeleteFile


def only(root):
    return [item for item in all_findings(view_of(root)) if item.code == "discovery-failed"]


def test_a_linked_file_is_one_finding_for_all_that_inherit_it(tmp_path):
    """Three directories are refused for one link: it is told once, at the link."""
    unpack("-- AGENTS.md --\nx\n-- CLAUDE.md -> AGENTS.md --\n-- a/AGENTS.md --\ny\n-- a/b/AGENTS.md --\nz\n", tmp_path)
    (found,) = only(tmp_path)
    assert found.path == "CLAUDE.md"
    assert "symlink" in found.message
    assert "3 directories" in found.message
    assert found.severity == "error"


def test_two_causes_are_two_findings(tmp_path):
    """Each offending file is named; a sound sibling has none."""
    unpack("-- a/AGENTS.md --\n\n-- b/AGENTS.md --\n\n-- c/AGENTS.md --\nfine\n", tmp_path)
    assert [item.path for item in only(tmp_path)] == ["a/AGENTS.md", "b/AGENTS.md"]


def test_a_blank_file_can_be_removed_or_filled(tmp_path):
    """Neither is applied unasked: both change what agents read."""
    unpack("-- AGENTS.md --\n  \n", tmp_path)
    (found,) = only(tmp_path)
    remove, fill = found.fixes
    assert remove.edits == (DeleteFile("AGENTS.md"),)
    assert fill.edits[0].new_text.startswith("# ")
    assert not remove.preferred
    assert not fill.preferred


def test_a_file_without_readable_text_is_shown_at_its_neighbour(tmp_path):
    """No document can be shown for bytes that are no UTF-8; the nearest file of that directory is marked."""
    unpack("-- AGENTS.md --\nroot\n-- a/CLAUDE.md --\nclaude\n", tmp_path)
    (tmp_path / "a" / "AGENTS.md").write_bytes(b"\xff\xfe")
    (found,) = only(tmp_path)
    assert found.path == "a/CLAUDE.md"
    assert found.message.startswith("a/AGENTS.md")


def test_a_file_cannot_silence_its_own_refusal(tmp_path):
    """A suppression comment counts for checks of the text only."""
    text = "<!-- waybook: allow-file discovery-failed -->\n" + "x" * 70_000
    unpack(f"-- AGENTS.md --\n{text}\n", tmp_path)
    assert [item.code for item in only(tmp_path)] == ["discovery-failed"]


def test_a_sound_workspace_has_none(tmp_path):
    """A blank override and an ignored empty file refuse nothing."""
    check_markers(
        "-- AGENTS.md --\nroot\n-- AGENTS.override.md --\n\n-- .prayu/instructions.ignore --\nb/CLAUDE.md\n-- b/CLAUDE.md --\n\n",
        tmp_path,
        "discovery-failed",
    )
