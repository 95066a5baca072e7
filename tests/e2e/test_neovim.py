"""A real headless Neovim opens a workspace, sees a finding, hovers, mends, runs commands and confirms a drift."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.lsp import environment, write
from support.real_clients import find

SCRIPT = Path(__file__).with_name("neovim.lua")


@pytest.mark.real_client("neovim")
def test_neovim_works_with_waybook(tmp_path: Path) -> None:
    """Everything `neovim.lua` and `neovim_features.lua` check, in order, within a minute."""
    root, data = tmp_path.resolve() / "workspace", tmp_path.resolve() / "data"
    data.mkdir()
    write(root, ".git/HEAD", "ref: refs/heads/main\n")
    write(root, "AGENTS.md", "# Rules\n\nSome text.\n")
    write(root, "docs/real.md", "here\n")
    write(root, "src/AGENTS.md", "# App\n\nSee \U0001f9ea @docs/none.md\nRead @../docs/real.md\n")
    write(root, "docs/kept.md", "here\n")
    write(root, ".github/x.md", "x\n")
    write(root, "guides/AGENTS.md", "# Guide\n\nRead @../docs/real.md\nKeep @../docs/kept.md\n\n\n")
    program = find("neovim")
    assert program is not None
    command = [program, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-l", str(SCRIPT), sys.executable, str(root)]
    done = subprocess.run(
        command, env=environment(data), cwd=root, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all holds" in done.stdout
