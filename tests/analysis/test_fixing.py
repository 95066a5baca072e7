"""Fixes on the disk: in order, together, and never over something that changed meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.workspaces import make_tree
from waybook.analysis.findings import CreateFile, DeleteFile, Fix, TextEdit
from waybook.analysis.fixing import apply_fixes
from waybook.base.errors import ConflictError, RefusedError
from waybook.base.text import Span

if TYPE_CHECKING:
    from pathlib import Path


def edit(start: int, end: int, new: str) -> Fix:
    """Replace a part of AGENTS.md."""
    return Fix("t", (TextEdit("AGENTS.md", Span(start, end), new),), preferred=True)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A file, a link to it, a directory that is a link."""
    (tmp_path / "outside").mkdir()
    return make_tree(
        tmp_path / "w", {"AGENTS.md": "0123456789\n", "CLAUDE.md": "-> AGENTS.md", "away": "-> ../outside"}
    )


TEXTS = {"AGENTS.md": "0123456789\n"}


def test_edits_of_one_file_go_together(root: Path) -> None:
    """Offsets are those of the original text, in whatever order the fixes come; the same fix counts once."""
    assert apply_fixes(str(root), [edit(8, 9, "H"), edit(1, 2, "BB"), edit(8, 9, "H")], TEXTS) == ("AGENTS.md",)
    assert (root / "AGENTS.md").read_text() == "0BB234567H9\n"


def test_an_overlapping_edit_waits(root: Path) -> None:
    """The first in the text is applied."""
    apply_fixes(str(root), [edit(1, 4, "x"), edit(3, 6, "y")], TEXTS)
    assert (root / "AGENTS.md").read_text() == "0x456789\n"


def test_a_link_is_replaced_as_itself(root: Path) -> None:
    """What it led to stays untouched."""
    fix = Fix("t", (DeleteFile("CLAUDE.md"), CreateFile("CLAUDE.md", "@AGENTS.md\n")), preferred=True)
    assert apply_fixes(str(root), [fix], TEXTS) == ("CLAUDE.md",)
    assert not (root / "CLAUDE.md").is_symlink()
    assert (root / "AGENTS.md").read_text() == "0123456789\n"


def test_two_fixes_about_one_file_do_not_meet(root: Path) -> None:
    """The second waits for the next run, whether it would remove the file or edit it."""
    first = Fix("a", (DeleteFile("CLAUDE.md"), CreateFile("CLAUDE.md", "a\n")))
    second = Fix("b", (DeleteFile("CLAUDE.md"), CreateFile("CLAUDE.md", "b\n")))
    gone = Fix("c", (DeleteFile("AGENTS.md"),))
    assert apply_fixes(str(root), [first, second, edit(0, 1, "x"), gone], TEXTS) == ("AGENTS.md", "CLAUDE.md")
    assert (root / "CLAUDE.md").read_text() == "a\n"
    assert not (root / "AGENTS.md").exists()


@pytest.mark.parametrize("meanwhile", ["changed", "gone"])
def test_a_file_that_is_not_as_it_was_is_left_alone(root: Path, meanwhile: str) -> None:
    """A conflict that names the file."""
    if meanwhile == "changed":
        (root / "AGENTS.md").write_text("somebody else\n")
        fix = edit(0, 1, "x")
    else:
        (root / "CLAUDE.md").unlink()
        fix = Fix("t", (DeleteFile("CLAUDE.md"),))
    with pytest.raises(ConflictError) as caught:
        apply_fixes(str(root), [fix], TEXTS)
    assert caught.value.path in {"AGENTS.md", "CLAUDE.md"}
    assert not (root / "AGENTS.md").read_text().startswith("x")


@pytest.mark.parametrize("path", ["../outside/x.md", "away/x.md", "/tmp/waybook-never.md"])
def test_nothing_is_written_outside(root: Path, path: str) -> None:
    """Neither by `..`, nor through a linked directory, nor by an absolute path."""
    with pytest.raises(RefusedError):
        apply_fixes(str(root), [Fix("t", (CreateFile(path, "x\n"),))], {})
    assert list((root.parent / "outside").iterdir()) == []
