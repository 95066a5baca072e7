"""dead-glob and bad-front-matter in the rules of single agents: each agent's own key, case and forms of globs."""

from support.markers import check_markers


def test_a_key_of_another_agent_does_nothing(tmp_path):
    """Each family with its own key; where the own key stands as well, the file is shared on purpose."""
    found = check_markers(
        """\
-- .claude/rules/a.md --
---
globs: "src/**"
^^^^^ bad-front-matter: Claude Code does not read globs: without paths the rule loads for every file.
---
text
-- .claude/rules/shared.md --
---
paths: "src/**"
globs: "src/**"
description: what it is about
---
text
-- .github/instructions/b.instructions.md --
---
paths: "src/**"
^^^^^ bad-front-matter: Copilot does not read paths
---
text
-- .github/instructions/plain.instructions.md --
Without front matter it always counts.
-- .cursor/rules/c.mdc --
---
applyTo: "src/**"
^^^^^^^ bad-front-matter: Cursor does not read applyTo: without globs the rule is attached to no file.
---
text
-- .cursor/rules/always.mdc --
---
paths: "src/**"
alwaysApply: true
---
text
-- .windsurf/rules/d.md --
---
trigger: sometimes
         ^^^^^^^^^ bad-front-matter: trigger has to be one of always_on, glob, manual, model_decision
---
text
-- .windsurf/rules/e.md --
---
trigger: glob
^^^^^^^ bad-front-matter: there are no globs
---
text
-- .windsurf/rules/f.md --
---
trigger: glob
globs: "src/**"
---
text
-- .clinerules/g.md --
---
disabled: "yes"
          ^^^^^ bad-front-matter: disabled has to be true or false: Cline leaves the file out.
---
text
-- .prayu/rules/h.md --
---
applyTo: "src/**"
---
text
-- src/x.py --
""",
        tmp_path,
        "bad-front-matter",
    )
    by_path = {item.path: item for item in found}
    assert by_path[".claude/rules/a.md"].agents == ("claude-code",)
    assert by_path[".claude/rules/a.md"].fixes[0].edits[0].new_text == "paths"


def test_globs_are_read_as_the_agent_reads_them(tmp_path):
    """Claude Code: like .gitignore, without case, from the owner; Copilot: by name at any depth, never with / around."""
    found = check_markers(
        """\
-- src/api/User.ts --
-- pkg/lib/x.py --
-- .claude/rules/a.md --
---
paths: ["SRC/API/*.TS", "*.py", pkg, pkg/, /pkg/lib/x.py, "./pkg/**", "src/[ab", src/gone/**]
                                                           ^^^^^^^^ dead-glob: No file matches ./pkg/**: Claude Code's patterns
                                                                       ^^^^^^^ dead-glob: a [ is never closed
                                                                                 ^^^^^^^^^^^ dead-glob: src/gone/**
globs: ["no/such/file"]
---
text
-- pkg/.claude/rules/b.md --
---
paths:
  - lib/*.py
  - x.py
  - pkg/lib/*.py
    ^^^ dead-glob: pkg/lib/*.py
---
text
-- .github/instructions/c.instructions.md --
---
applyTo: "**/*.ts,x.py,lib/*.py,/src/**,src/"
                                ^^^^^^^ dead-glob: Copilot CLI matches nothing that begins with /
                                        ^^^^ dead-glob: no file's path ends in /
---
text
-- .cursor/rules/d.mdc --
---
globs: "*.ts,*.rs"
             ^^^^ dead-glob: No file matches *.rs.
---
text
""",
        tmp_path,
        "dead-glob",
    )
    assert {item.agents for item in found} == {("claude-code",), ("copilot-cli", "vscode-copilot"), ("cursor",)}
