"""shadowed-file: an AGENTS.md that nobody reads."""

from support.markers import all_findings, check_markers, unpack, view_of


def test_the_superseded_file_is_unnecessary_and_names_the_winner(tmp_path):
    """The whole file is marked, with a pointer to the one that is read."""
    unpack("-- a/AGENTS.md --\nold\nrules\n-- a/AGENTS.override.md --\nnew\n", tmp_path)
    (found,) = all_findings(view_of(tmp_path))
    assert (found.code, found.path, found.tags, found.severity) == (
        "shadowed-file",
        "a/AGENTS.md",
        ("unnecessary",),
        "hint",
    )
    assert (found.span.start, found.span.end) == (0, len("old\nrules\n"))
    assert [item.path for item in found.related] == ["a/AGENTS.override.md"]


def test_blank_or_ignored_overrides_shadow_nothing(tmp_path):
    """Neither takes the place of AGENTS.md; another directory's override does not either."""
    check_markers(
        "-- AGENTS.md --\nx\n-- a/AGENTS.md --\nx\n-- a/AGENTS.override.md --\n\n-- b/AGENTS.md --\nx\n"
        "-- b/AGENTS.override.md --\ny\n-- c/AGENTS.override.md --\nz\n-- .prayu/instructions.ignore --\nb/AGENTS.override.md\n",
        tmp_path,
        "shadowed-file",
    )


def test_a_comment_in_the_superseded_file_allows_it(tmp_path):
    """It is a choice of the directory's owner, nothing that an outsider could hide."""
    check_markers(
        "-- AGENTS.md --\nx <!-- waybook: allow-file shadowed-file -->\n-- AGENTS.override.md --\ny\n",
        tmp_path,
        "shadowed-file",
    )
