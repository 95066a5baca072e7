"""dead-glob: globs of front matter that no file matches."""

from support.markers import check_markers


def test_globs_without_a_file_are_found(tmp_path):
    """From the root, from the rule's directory, by name at any depth, and as a directory."""
    check_markers(
        """\
-- src/api/user.ts --
-- pkg/lib/x.py --
-- .prayu/rules/a.md --
---
paths: [src/api/**/*.ts, "src/old/**", '*.rs', "*.ts", src/api]
                          ^^^^^^^^^^ dead-glob: src/old/**
                                        ^^^ dead-glob: *.rs
globs: "src/{api,web}/*.ts,lib/{a,b}.py"
                           ^^^ dead-glob: lib/{a,b}.py
---
text
-- pkg/.prayu/rules/b.md --
---
paths:
  - lib/*.py
  - "!lib/skip.py"
  - dist/**
  - docs/**/*.md
    ^^^ dead-glob: docs/**/*.md
---
text
-- AGENTS.md --
`src/nothing/**` in the text is no front matter.
""",
        tmp_path,
        "dead-glob",
    )
