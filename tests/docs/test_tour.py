"""docs/tour.md is true: its commands are run in order, and say what stands there."""

from __future__ import annotations

import fnmatch
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from support.workspaces import WAYBOOK, make_tree

if TYPE_CHECKING:
    import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs/tour.md"
FILES = {
    "AGENTS.md": "# Shop\n\nSmall steps. Run the tests before you say that it works.\n",
    "CLAUDE.md": "# Claude\n\n@AGENTS.md\n",
    "web/AGENTS.md": "# Web\n\nUse the components of `web/src/kit.ts`.\n",
    "web/src/Cart.tsx": "export {};\n",
    ".git/HEAD": "ref: refs/heads/main\n",
}


def _steps() -> list[tuple[str, str]]:
    """(command, what it must say) of every console block."""
    blocks = re.findall(r"^```console\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    steps = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE) if part]
    return [(command, said) for command, _, said in steps]


def _pattern(said: str) -> re.Pattern[str]:
    """A line of `...` is any number of lines, `...` in a line any text in it."""
    whole = fnmatch.translate(said.strip().replace("[", "[[]").replace("...", "*"))
    return re.compile(whole)


def test_every_step_says_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs are compared whole, but for what the page leaves out with `...`."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    root = make_tree(tmp_path / "shop", FILES)
    env = {**os.environ, "PATH": f"{WAYBOOK.parent}:{os.environ['PATH']}"}
    steps = _steps()
    assert len(steps) >= 7
    for command, said in steps:
        done = subprocess.run(
            ["sh", "-c", command], cwd=root, env=env, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode in {0, 1}, done.stderr
        assert _pattern(said).match(done.stdout.strip()), f"$ {command}\n{done.stdout}"


def test_a_wrong_page_is_noticed() -> None:
    """What the comparison is worth: another number does not match, a left-out text does."""
    assert _pattern("1 file changed ... in [all]").match("1 file changed since yesterday in [all]")
    assert not _pattern("1 file changed").match("2 files changed")
