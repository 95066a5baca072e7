"""The house rules that no other tool checks: nothing forgotten in a list, a test or a generated page."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from waybook.checks import CHECKS
from waybook.cli.tree import TREE, Branch, Leaf
from waybook.commands.registry import COMMANDS, load

ROOT = Path(__file__).resolve().parent.parent
SERVER = ROOT / "server" / "waybook"
TESTS = ROOT / "tests"


def _modules(room: str, *, helpers: frozenset[str]) -> set[str]:
    return {path.stem for path in (SERVER / room).glob("*.py")} - {"__init__"} - helpers


def test_every_check_file_is_listed() -> None:
    """A file in checks/ that defines CHECK stands in checks.CHECKS."""
    listed = {check.run.__module__.rpartition(".")[2] for check in CHECKS}
    defining = {
        path.stem for path in (SERVER / "checks").glob("*.py") if re.search(r"^CHECK\b", path.read_text(), re.MULTILINE)
    }
    assert defining <= listed, f"not listed in checks/__init__.py: {sorted(defining - listed)}"


def test_every_check_has_a_manual_and_a_test() -> None:
    """Each check's docstring is a page, and tests/checks/ names its code."""
    tests = "\n".join(path.read_text() for path in (TESTS / "checks").rglob("test_*.py"))
    for check in CHECKS:
        assert len(check.manual.splitlines()) >= 5, f"{check.code}: the manual page is too short"
        assert check.code in tests, f"{check.code}: no test names it"


def test_check_codes_are_unique_kebab_case() -> None:
    """Codes are what people write in settings and comments."""
    codes = [check.code for check in CHECKS]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", code) for code in codes)


def test_every_command_file_is_listed_and_says_its_id() -> None:
    """commands/x_y.py is the command x.y of the registry."""
    modules = _modules("commands", helpers=frozenset({"model", "registry", "services"}))
    assert {name.replace(".", "_") for name in COMMANDS} == modules
    for command_id in COMMANDS:
        assert load(command_id).id == command_id


def test_every_command_has_a_test() -> None:
    """tests/commands/ names each command id."""
    tests = "\n".join(path.read_text() for path in (TESTS / "commands").rglob("test_*.py"))
    assert [name for name in COMMANDS if name not in tests] == []


def _leaves(children: dict[str, Leaf | Branch]) -> list[Leaf]:
    return [
        leaf for node in children.values() for leaf in (_leaves(node.children) if isinstance(node, Branch) else [node])
    ]


def test_every_command_can_be_spelled() -> None:
    """The command line reaches every command of the registry, and nothing that is not there."""
    reached = {command for leaf in _leaves(TREE) for command in (leaf.command, *leaf.runs) if command}
    assert reached == set(COMMANDS)


def test_generated_pages_are_fresh() -> None:
    """docs/checks.md, commands.md and settings.md say what the program says."""
    done = subprocess.run(
        [sys.executable, "scripts/generate_docs.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_rooms_have_tests_of_their_own() -> None:
    """tests/ mirrors server/waybook."""
    rooms = {path.parent.name for path in SERVER.glob("*/__init__.py")}
    missing = sorted(room for room in rooms if not list((TESTS / room).glob("test_*.py")))
    assert missing == []


@pytest.mark.parametrize("path", sorted(SERVER.rglob("*.py")), ids=lambda path: str(path.relative_to(SERVER)))
def test_modules_say_what_they_are_for_and_stay_one_idea(path: Path) -> None:
    """Every module has a docstring and at most 400 lines, every function at most 60."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "no module docstring"
    assert text.count("\n") <= 400
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno <= 60, f"{node.name} is too long"


def test_nothing_stale_is_named() -> None:
    """Every path that ARCHITECTURE.md names in a code span exists."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:server|tests|fixtures|scripts|docs|bench|client-[a-z]+)/[\w./-]*)`", text))
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
