"""broken-import: imports without a file, and the many words with an `@` that are none."""

from support.markers import check_markers
from waybook.analysis.findings import CreateFile, TextEdit


def test_a_missing_file_is_found_and_other_words_are_not(tmp_path):
    """Only words shaped like a path to a text file count, outside code and comments."""
    check_markers(
        """\
-- docs/style.md --
x
-- docs/a b.md --
x
-- src/app.ts --
-- CLAUDE.md --
# Guide
@docs/style.md and @docs/gone.md.
                   ^^^^^^^^^^^^^ broken-import: docs/gone.md
- see @./local-notes for more
      ^^^ broken-import: local-notes
- **@docs/bold.md** and @docs/a\\ b.md
    ^^^ broken-import: docs/bold.md
- @src/gone.ts, @src/app.ts
  ^^^ broken-import: src/gone.ts
Ask @alice or @team-web, mail bob@example.md, use @scope/pkg, @types/node/index.d.ts and @dataclass.
Code `@docs/none.md` and (@docs/none.md) and "@docs/none.md" are text. See @docs/ and @src.
Keep `actions/checkout@v4`; versions like foo@1.2.md are no imports.

<!-- @docs/none.md -->

```sh
@docs/none.md
```
""",
        tmp_path,
        "broken-import",
    )


def test_paths_are_relative_to_the_importing_file(tmp_path):
    """A nested file imports from its own directory, not from the root."""
    check_markers(
        """\
-- common.md --
x
-- pkg/near.md --
x
-- pkg/CLAUDE.md --
@near.md @../common.md
@common.md
^^^ broken-import: pkg/common.md
""",
        tmp_path,
        "broken-import",
    )


def test_fixes_point_to_the_moved_file_or_create_it(tmp_path):
    """One file of that name elsewhere is the preferred fix; creating the file is offered besides."""
    (found,) = check_markers(
        """\
-- guides/house-style.md --
x
-- CLAUDE.md --
@docs/house-style.md
^^^ broken-import: docs/house-style.md
""",
        tmp_path,
        "broken-import",
    )
    moved, create = found.fixes
    assert moved.preferred
    assert isinstance(moved.edits[0], TextEdit)
    assert moved.edits[0].new_text == "@guides/house-style.md"
    assert create.edits == (CreateFile("docs/house-style.md", "# House style\n"),)


def test_a_name_that_anybody_uses_is_not_taken_for_moved(tmp_path):
    """A README elsewhere is no reason to think that this one moved there."""
    (found,) = check_markers(
        """\
-- README.md --
x
-- CLAUDE.md --
@docs/README.md
^^^ broken-import: docs/README.md
""",
        tmp_path,
        "broken-import",
    )
    assert [fix.title for fix in found.fixes] == ["Create docs/README.md"]
