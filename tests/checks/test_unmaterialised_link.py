"""unmaterialised-link: a link that became text."""

from support.markers import check_markers


def test_a_file_name_as_the_whole_text_is_found(tmp_path):
    """The fix imports the file; sentences, imports and names of nothing are left alone."""
    (found,) = check_markers(
        """\
-- AGENTS.md --
# Real guide
-- CLAUDE.md --
AGENTS.md
^^^^^^^^^ unmaterialised-link: holds only the name "AGENTS.md"
-- a/CLAUDE.md --
@../AGENTS.md
-- b/CLAUDE.md --
See AGENTS.md
-- c/CLAUDE.md --
NOTHING.md
""",
        tmp_path,
        "unmaterialised-link",
    )
    assert found.fixes[0].preferred
    assert found.fixes[0].edits[0].new_text == "@AGENTS.md\n"
