"""import-cycle: imports that lead back."""

from support.markers import check_markers


def test_each_import_of_a_cycle_is_found(tmp_path):
    """The way back is shown; two importers of one file are no cycle."""
    check_markers(
        """\
-- AGENTS.md --
Read @CLAUDE.md too.
     ^^^^^^^^^^ import-cycle: AGENTS.md -> CLAUDE.md -> AGENTS.md
-- CLAUDE.md --
@AGENTS.md
^^^ import-cycle: CLAUDE.md -> AGENTS.md -> CLAUDE.md
-- pkg/CLAUDE.md --
@../AGENTS.md
-- self/CLAUDE.md --
@./CLAUDE.md
^^^ import-cycle: self/CLAUDE.md -> self/CLAUDE.md
-- code/AGENTS.md --
See `@CLAUDE.md`.
-- code/CLAUDE.md --
@AGENTS.md
""",
        tmp_path,
        "import-cycle",
    )
