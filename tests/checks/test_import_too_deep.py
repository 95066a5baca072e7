"""import-too-deep: more than four imports in a row."""

from support.markers import check_markers


def test_the_fifth_import_in_a_row_is_found(tmp_path):
    """The import that begins the chain is marked; a shorter way to the same file is enough."""
    check_markers(
        """\
-- CLAUDE.md --
@a/CLAUDE.md
^^^ import-too-deep: e/CLAUDE.md is 5 imports away
-- a/CLAUDE.md --
@../b/CLAUDE.md
-- b/CLAUDE.md --
@../c/CLAUDE.md
-- c/CLAUDE.md --
@../d/CLAUDE.md
-- d/CLAUDE.md --
@../e/CLAUDE.md
-- e/CLAUDE.md --
end
-- short/CLAUDE.md --
@../a/CLAUDE.md
@../e/CLAUDE.md
""",
        tmp_path,
        "import-too-deep",
    )
