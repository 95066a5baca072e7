"""ignore-file-invalid: the bad line is named, and nothing else is said about it."""

from support.markers import all_findings, unpack, view_of


def test_a_bad_pattern_is_one_finding(tmp_path):
    """Every directory is refused for it, yet it is told once and not as discovery-failed too."""
    unpack(
        "-- AGENTS.md --\nx\n-- a/AGENTS.md --\ny\n-- .prayu/instructions.ignore --\n# ok\n!docs/AGENTS.md\n", tmp_path
    )
    (found,) = all_findings(view_of(tmp_path))
    assert (found.code, found.path, found.severity) == ("ignore-file-invalid", ".prayu/instructions.ignore", "error")
    assert found.data["line"] == 2
    assert "line 2" in found.message


def test_a_good_ignore_file_is_left_alone(tmp_path):
    """Comments, blanks, CRLF and patterns without a match are fine."""
    unpack("-- AGENTS.md --\nx\n-- .prayu/instructions.ignore --\n# note\r\n\r\nvendor/**/CLAUDE.md\r\n", tmp_path)
    assert all_findings(view_of(tmp_path)) == []
