"""conflicting-rule: clear opposites and nothing else."""

from support.markers import check_markers


def test_opposites_in_one_place_are_a_warning(tmp_path):
    """Demanded and forbidden in one file, or in two files of one directory."""
    found = check_markers(
        """\
-- AGENTS.md --
- Use npm.
- Indent with tabs.
- Always commit lock files.

Never use `npm`; it is slow.
^^^ conflicting-rule: line 1
-- CLAUDE.md --
Use 2 spaces for indentation.
^^^ conflicting-rule: AGENTS.md, line 2
Do not commit lock files.
^^^ conflicting-rule: AGENTS.md, line 3
""",
        tmp_path,
        "conflicting-rule",
    )
    assert {item.severity for item in found} == {"warning"}


def test_the_nearer_file_prevails_and_that_is_an_information(tmp_path):
    """What a directory decides for itself is no fault."""
    (found,) = check_markers(
        """\
-- AGENTS.md --
- Use tabs, not spaces.
-- web/AGENTS.md --
- Use spaces for indentation.
  ^^^ conflicting-rule: the nearer file prevails
-- api/AGENTS.md --
- Use tabs.
""",
        tmp_path,
        "conflicting-rule",
    )
    assert found.severity == "information"


def test_conditions_and_other_subjects_are_left_alone(tmp_path):
    """A condition, an exception or another subject is no contradiction."""
    check_markers(
        """\
-- AGENTS.md --
- Use pnpm for installs.
- Never use npm in CI.
- Use npm when publishing.
- Don't use mocks unless a network is involved.
- Use mocks.
- Never commit secrets.
- Always commit lock files.
- Use tabs in Go files and 2 spaces in YAML.
- Use 4 spaces for Python.
- Do not use `any`.
- Use any tool you like.
- Avoid long functions. Write long descriptions.
- Add comments.
- Do not add comments, unless somebody asked.
- Don't use spaces.
- Use tabs.
- The tabs of the browser leave spaces on the left.

| Use npm | x |
| --- | --- |
| Never use npm | x |

```
Use npm.
Never use npm.
```
""",
        tmp_path,
        "conflicting-rule",
    )


def test_lists_of_what_not_to_do_and_chapters_with_a_condition_are_left_alone(tmp_path):
    """Below "Don't" a demand is a prohibition; chapters of two languages do not meet."""
    check_markers(
        """\
-- AGENTS.md --
## Don't
- Use npm.

Avoid these:
- Commit lock files.

## Rules
- Never use npm.
- Never commit lock files.

### Go
- Use tabs.

### Python
- Use spaces.
""",
        tmp_path,
        "conflicting-rule",
    )


def test_a_prohibition_of_either_indent_is_understood(tmp_path):
    """Forbidding tabs contradicts asking for them, and for nothing else."""
    check_markers(
        """\
-- AGENTS.md --
- Always use tabs.
- Never use npm or yarn - always use pnpm.
-- web/AGENTS.md --
- Must not use tabs.
  ^^^ conflicting-rule: line 1
-- api/AGENTS.md --
- Do not use spaces.
- Use npm.
""",
        tmp_path,
        "conflicting-rule",
    )
