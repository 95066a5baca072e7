"""import-outside-workspace: imports that leave the workspace."""

from support.markers import check_markers


def test_home_absolute_and_parent_imports_are_found(tmp_path):
    """What leaves the root is told; `..` that stays inside, routes and code are not."""
    check_markers(
        """\
-- common.md --
x
-- pkg/CLAUDE.md --
@../common.md
@../../outside.md
^^^ import-outside-workspace: ../../outside.md
- @~/.claude/mine.md
  ^^^ import-outside-workspace: ~/.claude
@/etc/team/rules.md
^^^ import-outside-workspace: /etc/team/rules.md
Call @/components/Button.tsx from the alias map, @/docs/x.md too; `@~/x.md` is code.
""",
        tmp_path,
        "import-outside-workspace",
    )
