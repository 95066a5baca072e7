"""Definition, links, references and what follows a moved file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.cursor import at_cursor
from support.markers import unpack, view_of
from waybook.editor.definition import definition
from waybook.editor.links import links
from waybook.editor.references import references
from waybook.editor.rename import rename_edits

if TYPE_CHECKING:
    from pathlib import Path

TREE = """\
-- docs/guide.md --
guide
-- src/x.py --
-- src/AGENTS.md --
Read @../docs/guide.md, [it](../docs/guide.md#top) and `src/x.py`.
-- AGENTS.md --
"""


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("See @docs/gui<CURSOR>de.md.", "docs/guide.md"),
        ("See <CURSOR>@./docs/guide.md", "docs/guide.md"),
        ("See [x](docs/guide.md<CURSOR>)", "docs/guide.md"),
        ("See `src/x<CURSOR>.py:12`", "src/x.py"),
        ("See `do<CURSOR>cs/`", None),
        ("See @docs/n<CURSOR>one.md", None),
        ("S<CURSOR>ee @docs/guide.md", None),
        ("```\n@docs/gui<CURSOR>de.md\n```", None),
    ],
)
def test_definition_leads_to_the_file(root: Path, line: str, target: str | None) -> None:
    """Imports, links and paths in code spans; not directories, missing files, prose or code blocks."""
    at = at_cursor(root, f"{TREE}{line}\n")
    found = definition(at.view, at.path, at.offset)
    assert (found.path if found else None) == target


def test_definition_says_what_was_asked_about(root: Path) -> None:
    """The origin covers the whole word, with the `@`."""
    at = at_cursor(root, f"{TREE}See @docs/gui<CURSOR>de.md.\n")
    found = definition(at.view, at.path, at.offset)
    assert found is not None
    assert found.origin is not None
    assert at.text(found.origin) == "@docs/guide.md"


def test_links_are_the_paths_that_lead_somewhere(root: Path) -> None:
    """Relative to the file or to the root, as written; missing ones and directories are none."""
    unpack(f"{TREE}[a](docs/guide.md) `docs/` @docs/none.md [w](https://example.test/docs/guide.md)\n", root)
    view = view_of(root)
    assert [link.path for link in links(view, "AGENTS.md")] == ["docs/guide.md"]
    assert [link.path for link in links(view, "src/AGENTS.md")] == ["docs/guide.md", "docs/guide.md", "src/x.py"]


def test_references_name_importers_and_chains(root: Path) -> None:
    """On a path: who names it; on an instruction file: the chains that hold it."""
    at = at_cursor(root, f"{TREE}See @docs/gui<CURSOR>de.md.\n")
    found = [(place.path, at.text(place.span, place.path)) for place in references(at.view, at.path, at.offset)]
    assert found == [
        ("AGENTS.md", "docs/guide.md"),
        ("src/AGENTS.md", "../docs/guide.md"),
        ("src/AGENTS.md", "../docs/guide.md"),
    ]
    assert [place.path for place in references(at.view, "AGENTS.md", 0)] == ["src/AGENTS.md"]
    assert next(references(at.view, "AGENTS.md", 0, declaration=True)).path == "AGENTS.md"


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (
            {"docs/guide.md": "docs/new.md"},
            [("src/AGENTS.md", "../docs/new.md")] * 2 + [("AGENTS.md", "./docs/new.md")],
        ),
        ({"docs": "manual"}, [("src/AGENTS.md", "../manual/guide.md")] * 2 + [("AGENTS.md", "./manual/guide.md")]),
        ({"src/x.py": "lib/y.py"}, [("src/AGENTS.md", "lib/y.py")]),
        ({"src/AGENTS.md": "src/deep/AGENTS.md"}, [("src/AGENTS.md", "../../docs/guide.md")] * 2),
        ({"other.md": "else.md"}, []),
    ],
)
def test_mentions_follow_moved_files(root: Path, moves: dict[str, str], expected: list[tuple[str, str]]) -> None:
    """Files, directories and the mentioning file itself; the manner of writing is kept."""
    unpack(f"{TREE}See @./docs/guide.md\n", root)
    edits = rename_edits(view_of(root), moves)
    assert sorted((edit.path, edit.new_text) for edit in edits) == sorted(expected)
