"""Symbols and folding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.markers import unpack, view_of
from waybook.editor.folding import folds
from waybook.editor.symbols import document_symbols, workspace_symbols

if TYPE_CHECKING:
    from pathlib import Path

    from waybook.editor.answers import Symbol

TEXT = """\
-- AGENTS.md --
---
paths: a
---
# One `code`

text

### Deep

Setext
------
- # in a list

```sh
# no heading
```

<!--
note
-->
# Two
"""


def tree(symbols: tuple[Symbol, ...]) -> list[object]:
    return [(symbol.name, tree(symbol.children)) for symbol in symbols]


def test_headings_nest_by_level(root: Path) -> None:
    """ATX and setext headings, skipped levels; comments in code are no headings."""
    unpack(TEXT, root)
    found = document_symbols(view_of(root), "AGENTS.md")
    assert tree(found) == [
        ("One `code`", [("Deep", []), ("Setext", [])]),
        ("in a list", []),
        ("Two", []),
    ]


def test_a_section_ends_where_the_next_begins(root: Path) -> None:
    """The span covers the text below the heading, without the blank lines at its end."""
    unpack("-- AGENTS.md --\n# One\n\ntext\n\n# Two\n", root)
    view = view_of(root)
    text = view.documents["AGENTS.md"].text
    [one, two] = document_symbols(view, "AGENTS.md")
    assert text[one.span.start : one.span.end] == "# One\n\ntext"
    assert text[two.name_span.start : two.name_span.end] == "# Two"


def test_a_search_finds_headings_everywhere(root: Path) -> None:
    """Whole words before scattered letters, any case, all with an empty query."""
    unpack("-- AGENTS.md --\n# Build\n# To end: style\n-- src/AGENTS.md --\n# Tests\n", root)
    view = view_of(root)
    assert [symbol.name for symbol in workspace_symbols(view, "TES")] == ["Tests", "To end: style"]
    assert len(workspace_symbols(view, "")) == 3
    assert workspace_symbols(view, "xyz") == []


def test_what_folds(root: Path) -> None:
    """Front matter, sections, code blocks and comments; nothing that is one line."""
    unpack(TEXT, root)
    found = {(fold.first, fold.last): fold.kind for fold in folds(view_of(root), "AGENTS.md")}
    assert found[0, 2] == "region"
    assert found[13, 15] == "region"
    assert found[17, 19] == "comment"
    assert all(last > first for first, last in found)
