"""instruction-reordered: the same files in another order."""

from dataclasses import replace

from support.markers import all_findings, pinned_view, unpack, view_of
from waybook.instructions.model import SnapshotDiff


def reordered(view):
    return [item.path for item in all_findings(view) if item.code == "instruction-reordered"]


def test_only_the_topmost_scope_is_told(tmp_path):
    """The order of the root is part of every chain below it."""
    unpack("-- AGENTS.md --\nx\n-- a/AGENTS.md --\ny\n-- b/AGENTS.md --\nz\n", tmp_path)
    view = pinned_view(tmp_path, lambda _root: None)
    moved = SnapshotDiff("1", "2", (), (), (), order_changed=True, requires_confirmation=True)
    assert reordered(replace(view, drift={"b": moved, "": moved, "a": moved})) == ["AGENTS.md"]
    assert reordered(replace(view, drift={"b": moved, "a": moved})) == ["a/AGENTS.md", "b/AGENTS.md"]


def test_the_same_order_is_quiet(tmp_path):
    """An edit moves nothing."""
    unpack("-- AGENTS.md --\nx\n", tmp_path)
    assert reordered(pinned_view(tmp_path, lambda root: (root / "AGENTS.md").write_text("y\n"))) == []
    assert reordered(view_of(tmp_path)) == []
