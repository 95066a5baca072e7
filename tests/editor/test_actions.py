"""What can be done about a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.markers import unpack, view_of
from waybook.analysis.findings import CreateFile, DeleteFile, Finding, Fix, TextEdit
from waybook.base.text import Span
from waybook.editor.actions import FIX_ALL, actions, fix_all

if TYPE_CHECKING:
    from pathlib import Path


def finding(code: str, *fixes: Fix) -> Finding:
    return Finding(code, "AGENTS.md", Span(0, 1), "message", fixes=fixes)


def edit(start: int, end: int, new_text: str = "") -> TextEdit:
    return TextEdit("AGENTS.md", Span(start, end), new_text)


def test_each_fix_is_an_action_and_plain_ones_come_together(root: Path) -> None:
    """Preferred fixes of the whole file make one more; a file never pinned offers to."""
    unpack("-- AGENTS.md --\nabc\n", root)
    plain, risky = Fix("plain", (edit(0, 1),), preferred=True), Fix("risky", (edit(2, 3),))
    here = [finding("dead-path", risky)]
    found = list(actions(view_of(root), "AGENTS.md", here, [finding("hidden-unicode", plain), *here], ()))
    assert [(item.title, item.kind, item.preferred) for item in found] == [
        ("risky", "quickfix", False),
        ("Pin the workspace's instructions as reviewed", "source", False),
        ("Fix everything plain in this file", FIX_ALL, False),
    ]
    assert found[2].edits == (edit(0, 1),)
    assert found[2].codes == ("hidden-unicode",)


def test_silencers_come_last(root: Path) -> None:
    """Mending is offered before allowing."""
    unpack("-- AGENTS.md --\nabc\n", root)
    flaw = finding("dead-path", Fix("mend", (edit(0, 1),)))
    found = [item.title for item in actions(view_of(root), "AGENTS.md", [flaw], [flaw], [(flaw, Fix("allow", ()))])]
    assert found[:2] == ["mend", "allow"]


def test_fixes_that_clash_are_not_combined() -> None:
    """Of overlapping edits the first counts; a file is not edited and removed at once."""
    first, overlapping, apart = (Fix("x", (edit(*span),), preferred=True) for span in ((0, 3), (2, 5), (7, 8)))
    assert fix_all([finding("a", first), finding("b", overlapping), finding("c", apart)]) == (edit(0, 3), edit(7, 8))
    remove = Fix("x", (DeleteFile("AGENTS.md"), CreateFile("AGENTS.md", "new")), preferred=True)
    assert fix_all([finding("a", first), finding("b", remove)]) == (edit(0, 3),)
    assert fix_all([finding("b", remove)]) == (DeleteFile("AGENTS.md"), CreateFile("AGENTS.md", "new"))
    assert fix_all([finding("a", Fix("x", (edit(0, 1),)))]) == ()
