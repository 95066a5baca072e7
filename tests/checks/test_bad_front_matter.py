"""bad-front-matter: YAML that cannot be read, or not as it looks."""

from waybook.analysis.findings import TextEdit

from support.markers import check_markers


def test_flaws_are_found(tmp_path):
    """Broken YAML, keys twice, wrong kinds, unclosed, and begun too late."""
    check_markers(
        """\
-- AGENTS.md --
root
-- .prayu/rules/a.md --
---
paths: *.ts
        ^^^ bad-front-matter: cannot be read
---
text
-- .prayu/rules/b.md --
---
description: one
paths:
  - 1
  ^^^ bad-front-matter: a glob or a list of globs
alwaysApply: "true"
             ^^^ bad-front-matter: true or false
description: two
^^^ bad-front-matter: stands twice
---
text
-- .prayu/rules/c.md --
---
^^^ bad-front-matter: never closed
globs: src/*.ts

# Title
-- .prayu/rules/d.md --

---
^^^ bad-front-matter: begins in the first line
applyTo: "**"
---
text
""",
        tmp_path,
        "bad-front-matter",
    )


def test_good_front_matter_and_rulers_are_left_alone(tmp_path):
    """Unknown keys, empty values, no front matter at all, and a line between paragraphs."""
    check_markers(
        """\
-- AGENTS.md --
---

A text between two rulers, note: not YAML.

---
-- .prayu/rules/a.md --
---
description:
paths: ["src/**/*.ts", 'docs/*.md']
globs: src/*.ts,docs/*.md
applyTo: "**"
alwaysApply: false
tools: {a: 1}
---
text
-- .prayu/rules/b.md --
---
---
text
-- .prayu/rules/c.md --
Intro
---
key: value
""",
        tmp_path,
        "bad-front-matter",
    )


def test_the_fix_quotes_globs(tmp_path):
    """The usual cause of broken YAML here is an unquoted star."""
    (found,) = check_markers(
        """\
-- .prayu/rules/a.md --
---
paths:
  - **/*.ts
     ^^^ bad-front-matter: cannot be read
---
text
""",
        tmp_path,
        "bad-front-matter",
    )
    assert [edit.new_text for edit in found.fixes[0].edits if isinstance(edit, TextEdit)] == ['"**/*.ts"']
