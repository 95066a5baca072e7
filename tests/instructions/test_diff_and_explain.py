"""What separates two snapshots, and what a snapshot says in words."""

from __future__ import annotations

import dataclasses

from waybook.instructions.diff import diff
from waybook.instructions.discover import discover
from waybook.instructions.explain import explain
from waybook.workspace.guard import Guard
from workspace.trees import lay


def snapshot_of(root: str, target: str):
    with Guard(root) as guard:
        return discover(guard, target, "now")


def test_diff_names_added_removed_and_changed(tmp_path):
    """Each list is in reading order; any difference requires confirmation."""
    root = lay(tmp_path / "ws", {"AGENTS.md": "a\n", "CLAUDE.md": "c\n", "s/AGENTS.md": "s\n"})
    before = snapshot_of(root, "s")
    assert diff(before, before).requires_confirmation is False
    (tmp_path / "ws/AGENTS.md").write_text("changed\n")
    (tmp_path / "ws/CLAUDE.md").unlink()
    (tmp_path / "ws/s/CLAUDE.md").write_text("new\n")
    found = diff(before, snapshot_of(root, "s"))
    assert (found.added, found.removed, found.changed) == (("s/CLAUDE.md",), ("CLAUDE.md",), ("AGENTS.md",))
    assert (found.order_changed, found.requires_confirmation) == (False, True)
    assert found.from_fingerprint == before.fingerprint


def test_diff_sees_order_and_ignored_files(tmp_path):
    """Another order of the same files, and a change that only concerns ignored files, both count."""
    root = lay(tmp_path / "ws", {"AGENTS.md": "a\n", "CLAUDE.md": "c\n"})
    before = snapshot_of(root, ".")
    after = dataclasses.replace(before, sources=before.sources[::-1], fingerprint="other")
    assert diff(before, after).order_changed
    lay(tmp_path / "ws", {".prayu/instructions.ignore": "x.md\n"})
    found = diff(before, snapshot_of(root, "."))
    assert (found.added, found.removed, found.changed, found.requires_confirmation) == ((), (), (), True)


def test_explain_tells_why_who_prevails_and_what_is_left_out(tmp_path):
    """The answer names the files, the nearest directory and the reason for each ignored file."""
    root = lay(
        tmp_path / "ws",
        {
            ".prayu/instructions.ignore": "CLAUDE.md\n",
            "AGENTS.md": "a\n",
            "AGENTS.override.md": "o\n",
            "packages/web/AGENTS.md": "w\n",
            "packages/web/AGENTS.override.md": " \n",
        },
    )
    answer = explain(snapshot_of(root, "packages/web/src.ts"))
    assert answer.summary == "2 instruction files apply to packages/web/src.ts."
    assert answer.chain == "AGENTS.override.md → packages/web/AGENTS.md"
    assert "nearest" in answer.order
    assert "packages/web" in answer.order
    root_answer, near = answer.sources
    assert "workspace root" in root_answer.why
    assert "nearer files" in root_answer.why
    assert "nearest" in near.why
    assert near.reach == "everything in packages/web/"
    assert {item.path: item.cause for item in answer.ignored} == {
        ".prayu/instructions.ignore": "control-file",
        "AGENTS.md": "overridden",
        "CLAUDE.md": "ignored",
        "packages/CLAUDE.md": "ignored",
        "packages/web/AGENTS.override.md": "blank-override",
        "packages/web/CLAUDE.md": "ignored",
    }
    assert "AGENTS.override.md" in next(item.why for item in answer.ignored if item.path == "AGENTS.md")


def test_explain_few_files(tmp_path):
    """No file and one file read as sentences too."""
    root = lay(tmp_path / "ws", {"s/AGENTS.md": "s\n"})
    assert explain(snapshot_of(root, ".")).summary == "No instruction files apply to the workspace root."
    alone = explain(snapshot_of(root, "s/x"))
    assert alone.summary == "1 instruction file applies to s/x."
    assert "No other file applies." in alone.sources[0].why
