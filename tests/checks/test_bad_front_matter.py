"""bad-front-matter: YAML that cannot be read, or not as it looks."""

from support.markers import check_markers
from waybook.analysis.findings import TextEdit
from waybook.base.text import Span


def test_flaws_are_found(tmp_path):
    """Broken YAML, keys twice, wrong kinds, unclosed, and begun too late."""
    check_markers(
        """\
-- AGENTS.md --
root
-- .prayu/rules/a.md --
---
description: Use this: always
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


def test_globs_without_quotes_are_read_as_agents_read_them(tmp_path):
    """No YAML, and yet understood: the check for globs without a file sees them, too."""
    check_markers(
        """\
-- src/a.ts --
-- AGENTS.md --
x
-- .prayu/rules/a.md --
---
paths:
  - **/*.ts
  - *.rs
    ^^^ dead-glob: *.rs
applyTo: {src,lib}/*.ts
globs: **/*.py
       ^^^ dead-glob: **/*.py
---
text
""",
        tmp_path,
        "bad-front-matter",
        "dead-glob",
    )


def test_the_fix_moves_front_matter_to_the_first_line(tmp_path):
    """Removing blank lines is plain and safe."""
    (found,) = check_markers(
        """\
-- .prayu/rules/a.md --

---
^^^ bad-front-matter: begins in the first line
globs: "*.md"
---
text
""",
        tmp_path,
        "bad-front-matter",
    )
    assert found.fixes[0].preferred
    assert found.fixes[0].edits == (TextEdit(".prayu/rules/a.md", Span(0, 1), ""),)


def test_yaml_without_end_is_a_finding_and_no_crash(tmp_path):
    """Twenty thousand brackets are told as nested too deeply."""
    check_markers(
        f"""\
-- .prayu/rules/a.md --
---
{"[" * 20_000}
^^^ bad-front-matter: nested too deeply
---
text
""",
        tmp_path,
        "bad-front-matter",
        "dead-glob",
    )
