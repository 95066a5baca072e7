"""Findings are given again only while everything they rest on is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.markers import unpack
from waybook.analysis.service import Analysis
from waybook.base.cancel import Progress
from waybook.base.clock import SystemClock
from waybook.base.errors import CancelledError
from waybook.checks.model import TextCheck
from waybook.checks.run import Selection
from waybook.lsp import examine
from waybook.lsp.examine import examine_workspace
from waybook.lsp.reuse import Reuse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waybook.analysis.findings import Finding
    from waybook.analysis.view import Document, View


def look(root: Path, reuse: Reuse, selection: Selection | None = None) -> dict[str, list[str]]:
    """Codes by path; a new analysis each time, so that nothing but `reuse` remembers."""
    analysis = Analysis(str(root), SystemClock(), lambda: None)
    chosen = Selection() if selection is None else selection
    found = examine_workspace(analysis, chosen, lambda *_: None, Progress(), reuse)
    return {path: [item.code for item in found.of(path)] for path in sorted(found.paths())}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda _: None, {"AGENTS.md": ["broken-import"]}),
        (lambda root: unpack("-- docs/none.md --\nhere\n", root), {}),
        (lambda root: unpack("-- AGENTS.md --\nclean\n", root), {}),
        (
            lambda root: unpack("-- src/AGENTS.md --\n@gone.md\n", root),
            {"AGENTS.md": ["broken-import"], "src/AGENTS.md": ["broken-import"]},
        ),
        (lambda root: (root / "AGENTS.md").unlink(), {}),
    ],
)
def test_a_second_look_is_as_good_as_a_first(root: Path, change: object, expected: dict[str, list[str]]) -> None:
    """Whatever changed in between, remembering gives what forgetting gives."""
    unpack("-- AGENTS.md --\n@docs/none.md\n-- src/AGENTS.md --\nfine\n", root)
    reuse = Reuse()
    assert look(root, reuse) == {"AGENTS.md": ["broken-import"]}
    assert callable(change)
    change(root)
    assert look(root, reuse) == expected == look(root, Reuse())


def test_a_repeated_rule_follows_the_file_above(root: Path) -> None:
    """What a document's findings rest on includes the documents read before it."""
    rule = "- Always run the whole test suite before every commit.\n"
    unpack(f"-- AGENTS.md --\n{rule}-- src/AGENTS.md --\n{rule}", root)
    reuse = Reuse()
    assert look(root, reuse) == {"src/AGENTS.md": ["duplicate-rule"]}
    unpack("-- AGENTS.md --\nSomething else.\n", root)
    assert look(root, reuse) == {}


def test_only_what_changed_is_looked_at(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three documents one is checked again; other settings mean all of them; a crash is not remembered."""
    seen: list[str] = []

    def run(document: Document, _view: View) -> Iterator[Finding]:
        seen.append(document.path)
        if "crash" in document.text:
            raise RuntimeError
        return iter(())

    monkeypatch.setattr(examine, "CHECKS", (TextCheck("counting", "Counts", "hint", run),))
    unpack("-- AGENTS.md --\na\n-- x/AGENTS.md --\nx\n-- y/AGENTS.md --\ny\n", root)
    reuse = Reuse()
    look(root, reuse)
    assert sorted(seen) == ["AGENTS.md", "x/AGENTS.md", "y/AGENTS.md"]
    seen.clear()
    unpack("-- x/AGENTS.md --\ncrash\n", root)
    for _ in range(2):
        look(root, reuse)
    assert seen == ["x/AGENTS.md", "x/AGENTS.md"]
    seen.clear()
    look(root, reuse, Selection(severity={"counting": "error"}))
    assert len(seen) == 3


def test_a_cancelled_look_was_not_for_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one goes on from there."""
    seen: list[str] = []
    progress = Progress()

    def run(document: Document, _view: View) -> Iterator[Finding]:
        seen.append(document.path)
        progress.cancel()
        return iter(())

    monkeypatch.setattr(examine, "CHECKS", (TextCheck("counting", "Counts", "hint", run),))
    unpack("-- AGENTS.md --\na\n-- x/AGENTS.md --\nx\n", root)
    reuse = Reuse()
    analysis = Analysis(str(root), SystemClock(), lambda: None)
    with pytest.raises(CancelledError):
        examine_workspace(analysis, Selection(), lambda *_: None, progress, reuse)
    look(root, reuse)
    assert seen == ["AGENTS.md", "x/AGENTS.md"]
