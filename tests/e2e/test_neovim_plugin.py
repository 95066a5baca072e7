"""A real headless Neovim with our plugin walks through `:Waybook` as a person does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.fakes import expand
from support.lsp import environment, write
from support.real_clients import find

HERE = Path(__file__).parent
PLUGIN = HERE.parent.parent / "client-nvim"


def _nvim(tmp_path: Path, script: Path, *, program: str = sys.executable) -> subprocess.CompletedProcess[str]:
    root, data = tmp_path.resolve() / "workspace", tmp_path.resolve() / "data"
    (tmp_path / "home").mkdir()
    data.mkdir()
    write(root, ".git/HEAD", "ref: refs/heads/main\n")
    write(root, "AGENTS.md", "# Rules\n\nSmall steps.\n")
    write(root, "CLAUDE.md", "# Claude\n\nSay what you measured.\n")
    write(root, "web/AGENTS.md", "# Web\n\n\U0001f9ea use [it](none.md)\nA rule.\n")
    write(root, "web/app.ts", "export {};\n")
    env = {
        **environment(data),
        "HOME": str(tmp_path / "home"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "WAYBOOK_PLUGIN": str(PLUGIN),
        "WAYBOOK_PYTHON": program,
        "WAYBOOK_WORKSPACE": str(root),
        "WAYBOOK_HAND": str(HERE / "neovim_hand.lua"),
        "WAYBOOK_FAKE": expand("${FAKE_GITHUB}"),
    }
    nvim = find("neovim")
    assert nvim is not None
    # A Lua error would leave a headless editor waiting for a key.
    run = f"lua local ok, why = xpcall(dofile, debug.traceback, [[{script}]]) if not ok then io.stderr:write(why) os.exit(1) end"
    command = [nvim, "--headless", "-u", str(HERE / "neovim_init.lua"), "-i", "NONE", "-n", "-c", run]
    return subprocess.run(command, env=env, cwd=root, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.real_client("neovim")
def test_a_person_walks_through_the_plugin(tmp_path: Path) -> None:
    """Everything `neovim_plugin.lua` checks, in order, within a minute."""
    done = _nvim(tmp_path, HERE / "neovim_plugin.lua")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all holds" in done.stdout, done.stdout + done.stderr


@pytest.mark.real_client("neovim")
def test_without_a_server_it_says_what_to_do(tmp_path: Path) -> None:
    """No program: one sentence with the remedy, and the health says it too."""
    script = tmp_path / "script.lua"
    script.write_text(
        "local hand = dofile(vim.env.WAYBOOK_HAND)\n"
        "hand.type('explain', 'the remedy is told', hand.was_told('uv tool install waybook'))\n"
        "vim.cmd('checkhealth waybook')\n"
        "hand.check(hand.text():find('There is no program'), 'the health says it')\n"
        "io.stdout:write('all holds\\n')\nvim.cmd('qall!')\n"
    )
    done = _nvim(tmp_path, script, program="/nowhere/python")
    assert "all holds" in done.stdout, done.stdout + done.stderr
