"""Completion at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.cursor import at_cursor
from waybook.editor.completion import completions

if TYPE_CHECKING:
    from pathlib import Path

FILES = """\
-- .github/workflows/ci.yml --
-- docs/a.md --
-- docs/my file.md --
-- src/deep/x.py --
"""
CHECKS = {"broken-import": "An import that leads nowhere", "dead-path": "A path that is gone"}


def offered(root: Path, body: str, path: str = "AGENTS.md") -> tuple[list[str], set[str]]:
    """(labels, texts that would be replaced)."""
    at = at_cursor(root, f"{FILES}-- {path} --\n{body}\n")
    found = completions(at.view, at.path, at.offset, CHECKS)
    return [item.label for item in found], {at.text(item.span) for item in found}


@pytest.mark.parametrize(
    ("body", "labels", "replaced"),
    [
        ("See @<CURSOR>", [".github/", "docs/", "src/"], {""}),
        ("See @docs/<CURSOR>", ["a.md", "my file.md"], {""}),
        ("See @docs/m<CURSOR>", ["a.md", "my file.md"], {"m"}),
        ("See @./.github/<CURSOR> more", ["workflows/"], {""}),
        ("See [x](src/<CURSOR>", ["deep/"], {""}),
        ("mail@<CURSOR>", [], set()),
        ("See @../../<CURSOR>", [], set()),
        ("```\n@<CURSOR>\n```", [], set()),
        ("plain <CURSOR>text", [], set()),
        ("x <!-- waybook: allow <CURSOR> -->", ["broken-import", "dead-path"], {""}),
        ("x <!-- waybook: allow-file broken-import, de<CURSOR> -->", ["broken-import", "dead-path"], {"de"}),
    ],
)
def test_what_can_stand_here(root: Path, body: str, labels: list[str], replaced: set[str]) -> None:
    """Paths after `@` and in links, dot folders too; check codes in comments; nothing in prose, mail or code."""
    assert offered(root, body) == (labels, replaced)


def test_paths_are_relative_to_the_file(root: Path) -> None:
    """In a directory below, its own entries come first; the file itself is not offered."""
    assert offered(root, "@<CURSOR>", "src/AGENTS.md")[0] == ["deep/"]
    assert offered(root, "@../docs/<CURSOR>", "src/AGENTS.md")[0] == ["a.md", "my file.md"]


def test_blanks_in_paths_are_escaped(root: Path) -> None:
    """As imports are written."""
    at = at_cursor(root, f"{FILES}-- AGENTS.md --\n@docs/<CURSOR>\n")
    assert [item.text for item in completions(at.view, at.path, at.offset, {})] == ["a.md", "my\\ file.md"]


def test_front_matter_is_completed(root: Path) -> None:
    """Keys at the start of a line, values after the colon."""
    rule = ".prayu/rules/r.md"
    labels, replaced = offered(root, "---\nal<CURSOR>\n---\ntext", rule)
    assert "alwaysApply" in labels
    assert replaced == {"al"}
    assert offered(root, "---\nalwaysApply: <CURSOR>\n---\ntext", rule)[0] == ["true", "false"]
    assert offered(root, "---\ndescription: <CURSOR>\n---\ntext", rule)[0] == []
