"""What starting costs: a quick command imports no heavy library."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support.workspaces import make_tree

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {
    "alembic",
    "asyncio",
    "kingfisher",
    "lsprotocol",
    "markdown_it",
    "pydantic",
    "pygls",
    "rich",
    "sqlalchemy",
    "tiktoken",
    "watchfiles",
    "yaml",
}
PROGRAM = """
import json, sys
from waybook.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as leaving:
    code = leaving.code
loaded = sorted({name.partition(".")[0] for name in sys.modules})
print(json.dumps({"code": code, "count": len(sys.modules), "loaded": loaded}), file=sys.stderr)
"""
"""Counts that would fail on a heavy import long before anybody could feel it."""


def loaded_by(cwd: Path, *arguments: str) -> dict[str, object]:
    """The top-level modules in memory after a command, and how many modules in all."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=cwd, capture_output=True, text=True, check=True
    )
    found: dict[str, object] = json.loads(done.stderr.splitlines()[-1])
    return found


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A workspace."""
    return make_tree(tmp_path / "w", {".git": None, "AGENTS.md": "g\n", "sub/x.py": ""})


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", "sub/x.py"),
        ("explain", "sub/x.py", "--json"),
        ("context", "instructions", "--target", "sub/x.py", "--json"),
        ("--help",),
        ("explain", "--help"),
        ("--version",),
    ],
)
def test_a_quick_command_imports_nothing_heavy(ws: Path, arguments: tuple[str, ...]) -> None:
    """Standard library, click, and our own few modules; fewer than 400 modules altogether."""
    found = loaded_by(ws, *arguments)
    assert found["code"] == 0
    assert HEAVY & set(found["loaded"]) == set()  # type: ignore[call-overload]  # JSON
    assert found["count"] < 400  # type: ignore[operator]  # JSON


def test_check_of_an_unknown_workspace_does_not_open_the_database(ws: Path) -> None:
    """A linter run in continuous integration pays for no database, no language server and no validation library."""
    found = loaded_by(ws, "check")
    assert found["code"] == 0
    assert {"sqlalchemy", "alembic", "pygls", "lsprotocol", "pydantic", "rich"} & set(found["loaded"]) == set()  # type: ignore[call-overload]  # JSON


def test_an_editors_start_reads_no_command_line() -> None:
    """`waybook lsp --stdio` serves without click; with other options the command line reads them."""
    program = (
        "import sys; sys.argv = ['waybook', 'lsp', '--stdio']\n"
        "from waybook.cli.entry import main\n"
        "try:\n    main()\nexcept SystemExit as leaving:\n"
        "    print(leaving.code, 'click' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input="", capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr.splitlines()[-1] == "0 False"
