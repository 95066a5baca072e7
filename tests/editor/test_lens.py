"""The first line's lenses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from support.markers import unpack, view_of
from waybook.analysis.view import Pinned
from waybook.editor.lens import lenses
from waybook.instructions.model import SnapshotDiff

if TYPE_CHECKING:
    from pathlib import Path

    from waybook.analysis.view import View


def titles(view: View, path: str) -> list[str]:
    return [lens.title for lens in lenses(view, path)]


def test_a_lens_tells_scope_size_and_pin(root: Path) -> None:
    """Not pinned: with an offer to pin; pinned: nothing to do; stale: review and confirm."""
    unpack("-- src/AGENTS.md --\nsource\n", root)
    view = view_of(root)
    assert titles(view, "src/AGENTS.md") == ["applies to src/ · 7 bytes · not pinned", "pin baseline"]
    pinned = Pinned("baseline", "b", 1, "", "", {"src": view.snapshots["src"]})
    assert titles(replace(view, pinned=pinned), "src/AGENTS.md") == ["applies to src/ · 7 bytes · pinned"]
    diff = SnapshotDiff("a", "b", (), (), ("src/AGENTS.md",), order_changed=False, requires_confirmation=True)
    stale = lenses(replace(view, pinned=pinned, drift={"src": diff}), "src/AGENTS.md")
    assert [lens.title for lens in stale] == ["applies to src/ · 7 bytes · stale", "review drift", "confirm"]
    assert stale[2].argument == {"workspace": str(root), "scope": "src"}


def test_tokens_take_the_place_of_bytes(root: Path) -> None:
    """Short: thousands with one digit."""
    unpack("-- AGENTS.md --\nroot\n", root)
    [first, _] = lenses(view_of(root), "AGENTS.md", lambda _text, _sha: 2134)
    assert first.title == "applies to the whole workspace · 2.1k tokens · not pinned"


def test_what_does_not_apply_says_so(root: Path) -> None:
    """A superseded file, and no lens at all on what is no instruction file."""
    unpack("-- AGENTS.md --\nold\n-- AGENTS.override.md --\nnew\n-- README.md --\n# x\n", root)
    view = view_of(root)
    assert titles(view, "AGENTS.md")[0] == "does not apply · 0 of 1 agents · not pinned"
    assert titles(view, "README.md") == []
