"""duplicate-rule: the same rule twice in a chain."""

from support.markers import check_markers


def test_a_rule_of_the_chain_is_found_again(tmp_path):
    """Case, markup and white space make no difference; other directories do."""
    check_markers(
        """\
-- AGENTS.md --
# Rules
- Always run `make test` before you commit.
- Keep functions short and named for what they answer. Prefer early returns to nested blocks.
-- web/AGENTS.md --
- **Always** run make test before you commit
  ^^^ duplicate-rule: AGENTS.md, line 2
- Use the design tokens for every colour.
-- api/AGENTS.md --
- Use the design tokens for every colour.
""",
        tmp_path,
        "duplicate-rule",
    )


def test_a_rule_twice_in_one_file_is_found(tmp_path):
    """The second place is marked."""
    check_markers(
        """\
-- AGENTS.md --
## Tests
Never commit generated files to the repository.

## Git
Never commit generated files to the repository.
^^^ duplicate-rule: line 2
""",
        tmp_path,
        "duplicate-rule",
    )


def test_what_is_no_rule_is_left_alone(tmp_path):
    """Headings, tables, code, labels, descriptions and short phrases repeat without harm."""
    check_markers(
        """\
-- AGENTS.md --
## Always run the tests before a commit
Run the following commands before a commit:
`PUT /api/profiles/:id` updates a profile of the user
This package holds the shared types of the project.
Run the tests.
*No recent activity in this directory*

| Always run the tests before a commit | x |
| --- | --- |
| Always run the tests before a commit | x |

```
Always run the tests before a commit
```
-- web/AGENTS.md --
## Always run the tests before a commit
Run the following commands before a commit:
`PUT /api/profiles/:id` updates a profile of the user
This package holds the shared types of the project.
Run the tests.
*No recent activity in this directory*

| Always run the tests before a commit | x |
| --- | --- |
| Always run the tests before a commit | x |

```
Always run the tests before a commit
```
""",
        tmp_path,
        "duplicate-rule",
    )


def test_a_copy_of_a_whole_file_is_one_finding(tmp_path):
    """Many repeats of one other file are told once, with each of them as a related place."""
    rules = "".join(f"- Always check part number {n} of the list.\n" for n in range(8))
    (found,) = check_markers(
        f"-- AGENTS.md --\n{rules}-- CLAUDE.md --\n- Always check part number 0 of the list.\n"
        "  ^^^ duplicate-rule: 8 rules of this file\n" + rules.partition("\n")[2],
        tmp_path,
        "duplicate-rule",
    )
    assert len(found.related) == 8


def test_a_superseded_file_repeats_nothing(tmp_path):
    """An override may hold what the file it supersedes holds."""
    check_markers(
        """\
-- AGENTS.md --
- Always run `make test` before you commit.
-- AGENTS.override.md --
- Always run `make test` before you commit.
""",
        tmp_path,
        "duplicate-rule",
    )


def test_chinese_rules_count(tmp_path):
    """A rule needs no blanks between its words."""
    check_markers(
        """\
-- AGENTS.md --
提交代码之前必须运行全部测试。不要修改生成的文件。
-- web/AGENTS.md --
提交代码之前必须运行全部测试。
^^^ duplicate-rule: AGENTS.md, line 1
""",
        tmp_path,
        "duplicate-rule",
    )
