"""Output for people stays readable in a workspace with many directories; JSON is always complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.workspaces import make_tree, waybook

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A root guide and 29 below it, pinned."""
    files: dict[str, str | bytes | None] = {f"p{number:02}/AGENTS.md": f"part {number}\n" for number in range(29)}
    return make_tree(tmp_path / "many", {".git": None, "AGENTS.md": "root\n", **files})


def test_pin_lists_the_first_and_counts_the_rest(ws: Path) -> None:
    """Twenty lines, then how many more."""
    done = waybook("pin", cwd=ws, code=0)
    assert "Pinned 30 directories as baseline 1" in done.out
    assert "  and 10 more; --json lists every one" in done.out
    assert len(done.out.splitlines()) < 30
    assert len(waybook("pin", "--json", cwd=ws, code=0).json["scopes"]) == 30


def test_drift_counts_files_not_directories_that_inherit(ws: Path) -> None:
    """One file changed, however many directories it concerns."""
    waybook("pin", cwd=ws, code=0)
    (ws / "AGENTS.md").write_text("new root\n")
    done = waybook("drift", cwd=ws, code=1)
    assert done.out.startswith("1 file changed since baseline 1 of ")
    assert "(root), p00, " in done.out
    assert "and 10 more" in done.out
    assert done.out.count("+new root") == 1
    assert len(waybook("drift", "--json", cwd=ws, code=1).json["scopes"]) == 30


def test_a_refusal_is_told_once(ws: Path) -> None:
    """An empty root guide leaves thirty directories without an answer: one message, and no word of confirming."""
    waybook("pin", cwd=ws, code=0)
    (ws / "AGENTS.md").write_text("")
    done = waybook("drift", cwd=ws, code=1)
    assert done.out.count("AGENTS.md is empty") == 1
    assert "Nothing can be confirmed while a directory is refused" in done.out
    assert "waybook confirm" not in done.out
