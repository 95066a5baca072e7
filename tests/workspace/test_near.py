"""The files near a directory: remembered, and never a stale answer."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from waybook.workspace.agent_files import near_agent_files
from waybook.workspace.governing import governing_scopes, upwards
from waybook.workspace.marks import RACY_NANOSECONDS
from waybook.workspace.near import NearMemory
from waybook.workspace.tree import Listings, WorkspaceTree

if TYPE_CHECKING:
    from pathlib import Path

LONG_AGO = time.time() - 3600


def _age(root: Path) -> None:
    """Let every directory look as if it had not changed for an hour; its change time still says when that was done."""
    for place, _, _ in os.walk(root):
        os.utime(place, (LONG_AGO, LONG_AGO))
    time.sleep(RACY_NANOSECONDS / 1e9 + 0.02)


def _afresh(root: Path, only: tuple[str, ...]) -> object:
    return governing_scopes(str(root), only), near_agent_files(
        str(root), {up for place in only for up in upwards(place)}
    )


NAMES = (
    "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".claude/CLAUDE.md", ".prayu/rules/a.md", ".prayu/rules/deep/b.md",
    ".cursor/rules/c.mdc", ".github/copilot-instructions.md", "sub/AGENTS.md", "sub/.claude/rules/d.md",
)  # fmt: skip


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.booleans()), max_size=6))
def test_an_answer_is_always_the_one_of_a_fresh_look(tmp_path_factory: pytest.TempPathFactory, steps):
    """Files that come, go or become links show at once, whether the directories were settled or not."""
    root = tmp_path_factory.mktemp("near")
    (root / "sub").mkdir()
    memory = NearMemory(str(root))
    for name, linked in steps:
        memory.look(("sub",))
        if len(steps) % 2:
            _age(root)
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists() or place.is_symlink():
            place.unlink()
        elif linked:
            place.symlink_to("elsewhere.md")
        else:
            place.write_text("x")
        assert memory.look(("sub",)) == _afresh(root, ("sub",))


def test_a_settled_directory_is_not_looked_through_again(tmp_path, monkeypatch):
    """The second answer about quiet directories costs a look at each of them and nothing else."""
    (tmp_path / "AGENTS.md").write_text("x")
    _age(tmp_path)
    memory = NearMemory(str(tmp_path))
    first = memory.look(("",))
    monkeypatch.setattr("waybook.workspace.near.governing_scopes", None)
    assert memory.look(("",)) == first
    (tmp_path / "CLAUDE.md").write_text("x")
    with pytest.raises(TypeError):
        memory.look(("",))


def test_names_that_come_and_go_show_in_the_next_tree(tmp_path):
    """Trees that share what directories held never miss a change."""
    _age(tmp_path)
    listings = Listings()

    def names() -> tuple[str, ...]:
        return WorkspaceTree(str(tmp_path), listings=listings).names("")

    assert names() == ()
    (tmp_path / "b").write_text("")
    assert names() == ("b",)
    (tmp_path / "a").write_text("")
    assert names() == ("a", "b")
    _age(tmp_path)
    assert names() == names() == ("a", "b")
    (tmp_path / "a").unlink()
    assert names() == ("b",)
