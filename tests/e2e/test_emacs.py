"""A real Emacs with Eglot, set up by what `waybook setup emacs` says: findings, hover, fixes, commands, drift."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.lsp import environment, write
from support.real_clients import find
from waybook.commands.setups.emacs import EMACS
from waybook.commands.setups.model import Place, plan

SCRIPT = Path(__file__).with_name("emacs.el")


@pytest.mark.real_client("emacs")
def test_emacs_works_with_waybook(tmp_path: Path) -> None:
    """Everything `emacs.el` checks, in order, within a minute."""
    root, data = tmp_path.resolve() / "workspace", tmp_path.resolve() / "data"
    data.mkdir()
    write(root, ".git/HEAD", "ref: refs/heads/main\n")
    write(root, "AGENTS.md", "# Rules\n\nSome text.\n")
    write(root, "src/AGENTS.md", "# App\n\nSee \U0001f9ea @docs/none.md\n")
    env = environment(data)
    setup = tmp_path / "setup.el"
    setup.write_text(plan(EMACS, Place(env, (sys.executable, "-m", "waybook"))).addition)
    program = find("emacs")
    assert program is not None
    command = [program, "-q", "--batch", "-l", str(SCRIPT), str(setup), str(root)]
    done = subprocess.run(command, env=env, cwd=root, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all holds" in done.stderr
