"""Help: everywhere, with examples, quickly, and no wider than a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from support.workspaces import waybook
from waybook.cli.tree import TREE, Branch, Leaf

if TYPE_CHECKING:
    from pathlib import Path


def spellings(children: dict[str, Leaf | Branch], before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every command that can be typed, groups left out."""
    found: list[tuple[str, ...]] = []
    for name, node in children.items():
        found += spellings(node.children, (*before, name)) if isinstance(node, Branch) else [(*before, name)]
    return found


@pytest.mark.parametrize("words", spellings(TREE), ids=" ".join)
def test_every_command_explains_itself(tmp_path: Path, words: tuple[str, ...]) -> None:
    """--help and -h: a sentence, each option with its text, examples that begin with the command itself."""
    done = waybook(*words, "--help", cwd=tmp_path, code=0)
    assert done.out == waybook(*words, "-h", cwd=tmp_path, code=0).out
    assert f"Usage: waybook {' '.join(words)}" in done.out
    assert "Examples:" in done.out
    page, _, examples = done.out.partition("Examples:")
    spelled = [" ".join(words[start:]) for start in range(len(words))]  # a command with two spellings shows the shorter
    assert any(f"  waybook {name}" in examples for name in spelled)
    assert max(map(len, page.splitlines())) <= 100, "an example stays whole, to be copied"
    options = page.partition("Options:")[2]
    for option in re.split(r"\n  (?=-)", options)[1:]:
        assert re.search(r"\S\s{2,}\S", option), f"no text for {option}"


@pytest.mark.parametrize("words", [(), ("run",), ("context",), ("workspace",)])
def test_a_group_lists_its_commands(tmp_path: Path, words: tuple[str, ...]) -> None:
    """--help is 0 on standard output; no arguments at all is a usage error that shows the same."""
    asked = waybook(*words, "--help", cwd=tmp_path, code=0)
    assert "Commands:" in asked.out
    assert "Commands:" in waybook(*words, cwd=tmp_path, code=2).err


def test_a_misspelt_command_says_where_to_look(tmp_path: Path) -> None:
    """The hint names the help to read."""
    assert "waybook --help" in waybook("chekc", cwd=tmp_path, code=2).err
    assert "waybook run --help" in waybook("run", "crate", cwd=tmp_path, code=2).err
