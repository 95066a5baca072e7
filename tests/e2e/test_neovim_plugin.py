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
CLAUDE = HERE.parent.parent / "fixtures/transcripts/invented/claude/projects/-home-ana-shop-api"


def _run(script: Path) -> str:
    """A command that runs a script and leaves at an error, which would leave a headless editor waiting for a key."""
    return f"lua local ok, why = xpcall(dofile, debug.traceback, [[{script}]]) if not ok then io.stderr:write(why) os.exit(1) end"


def _nvim(tmp_path: Path, script: Path, *, program: str = sys.executable) -> subprocess.CompletedProcess[str]:
    root, data = tmp_path.resolve() / "workspace", tmp_path.resolve() / "data"
    session = (CLAUDE / "1f0c2a7e-0000-4000-8000-000000000001.jsonl").read_text(encoding="utf-8")
    write(
        tmp_path / "home/.claude/projects/-w",
        "1f0c2a7e-0000-4000-8000-000000000001.jsonl",
        session.replace("/home/ana/shop.api", str(root)),
    )
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
    command = [nvim, "--headless", "-u", str(HERE / "neovim_init.lua"), "-i", "NONE", "-n", "-c", _run(script)]
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


@pytest.mark.real_client("neovim")
def test_setup_neovim_is_all_that_is_needed(tmp_path: Path) -> None:
    """The file that `waybook setup neovim --write` makes, in an otherwise empty configuration, attaches and is healthy."""
    home = tmp_path.resolve()
    env = {**environment(home), "XDG_CONFIG_HOME": str(home / ".config"), "XDG_STATE_HOME": str(home / "state")}
    env["PATH"] = "/usr/bin:/bin"
    setup = [sys.executable, "-m", "waybook", "setup", "neovim", "--write", "--yes"]
    subprocess.run(setup, env=env, check=True, capture_output=True, timeout=60)
    write(home, "code/.git/HEAD", "ref: refs/heads/main\n")
    write(home, "code/AGENTS.md", "# Rules\n")
    script = home / "script.lua"
    script.write_text(
        "local hand = dofile(vim.env.WAYBOOK_HAND)\n"
        "hand.wait('it attaches', function() return #vim.lsp.get_clients({ bufnr = 0, name = 'waybook' }) == 1 end)\n"
        "vim.cmd('checkhealth waybook')\n"
        "hand.check(hand.text():find('Waybook %d') and not hand.text():find('ERROR'), 'it is healthy')\n"
        "vim.cmd('help :Waybook-drift')\nhand.check(hand.text():find('diff%-mode'), 'its help is found')\n"
        "io.stdout:write('all holds\\n')\nvim.cmd('qall!')\n"
    )
    nvim = find("neovim")
    assert nvim is not None
    done = subprocess.run(
        [nvim, "--headless", "-i", "NONE", "-n", "AGENTS.md", "-c", _run(script)],
        env={**env, "WAYBOOK_HAND": str(HERE / "neovim_hand.lua")},
        cwd=home / "code",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "all holds" in done.stdout, done.stdout + done.stderr


@pytest.mark.real_client("neovim")
def test_the_help_is_indexed(tmp_path: Path) -> None:
    """doc/tags is what `:helptags client-nvim/doc` makes: a package's directory may not be writable later."""
    (tmp_path / "waybook.txt").write_bytes((PLUGIN / "doc/waybook.txt").read_bytes())
    nvim = find("neovim")
    assert nvim is not None
    command = [nvim, "--headless", "-u", "NONE", "-i", "NONE", "-c", f"helptags {tmp_path}", "-c", "qall!"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr.strip() == ""
    assert (tmp_path / "tags").read_text() == (PLUGIN / "doc/tags").read_text()


@pytest.mark.real_client("neovim")
def test_the_help_has_every_subcommand(tmp_path: Path) -> None:
    """A subcommand without a paragraph of its own would be found by completion only."""
    code = "io.stdout:write(table.concat(vim.tbl_keys(require('waybook.command').subcommands), ' ')) vim.cmd('qall!')"
    script = tmp_path / "script.lua"
    script.write_text(code)
    names = set(_nvim(tmp_path, script).stdout.split())
    tags = (PLUGIN / "doc/tags").read_text()
    assert names
    assert {name for name in names if f":Waybook-{name}\t" not in tags} == set()
