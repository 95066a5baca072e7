"""`setup.show` and `setup.write`: what an editor must be told, added and never replaced, exactly as it was shown."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support.workspaces import Desk, waybook
from waybook.base.errors import ConflictError, RefusedError, UsageError
from waybook.commands.setups import EDITORS
from waybook.commands.setups.model import Place, plan
from waybook.commands.setups.neovim import plugin

NAMED = {editor.id: editor for editor in EDITORS}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory, and a PATH without `waybook`."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return home


def _place(home: Path, *program: str) -> Place:
    return Place({"HOME": str(home)}, program or ("waybook",))


@pytest.mark.parametrize("editor", EDITORS, ids=lambda editor: editor.id)
def test_every_editor_says_what_to_do_and_how_it_was_tried(editor: Any, home: Path) -> None:
    """Steps, and no claim to have been tried where it was not; docs/editors.md has a section."""
    found = plan(editor, _place(home))
    assert found.steps
    assert found.tried
    page = Path(__file__).parents[2].joinpath("docs/editors.md").read_text(encoding="utf-8")
    assert f"waybook setup {editor.id}" in page


@pytest.mark.parametrize("editor", ["neovim", "helix", "emacs", "kakoune"])
def test_a_write_makes_the_file_and_a_second_one_is_refused(editor: str, home: Path) -> None:
    """What was shown is what the file says, and it is not written twice."""
    desk = Desk(home)
    shown = desk.call("setup.show", editor=editor)
    assert shown.state == "new"
    done = desk.call("setup.write", editor=editor, fingerprint=shown.fingerprint)
    assert Path(done.file).read_text(encoding="utf-8") == shown.addition
    again = desk.call("setup.show", editor=editor)
    assert again.state == "present"
    with pytest.raises(RefusedError, match="already"):
        desk.call("setup.write", editor=editor, fingerprint=again.fingerprint)


def test_an_existing_file_keeps_every_byte_before_the_addition(home: Path) -> None:
    """CRLF, a missing last line end and a mode stay as they are."""
    path = home / ".emacs"
    path.write_bytes(b"(setq a 1)\r\n(setq b 2)")
    path.chmod(0o600)
    desk = Desk(home)
    shown = desk.call("setup.show", editor="emacs")
    assert (shown.file, shown.state) == (str(path), "append")
    desk.call("setup.write", editor="emacs", fingerprint=shown.fingerprint)
    assert path.read_bytes() == b"(setq a 1)\r\n(setq b 2)\n\n" + shown.addition.encode()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_changed_after_it_was_shown_is_left_alone(home: Path) -> None:
    """The plan that a person read is the only one that is carried out."""
    path = home / ".emacs"
    path.write_text("(setq a 1)\n")
    desk = Desk(home)
    shown = desk.call("setup.show", editor="emacs")
    path.write_text("(setq a 2)\n")
    with pytest.raises(ConflictError, match="has changed"):
        desk.call("setup.write", editor="emacs", fingerprint=shown.fingerprint)
    assert path.read_text() == "(setq a 2)\n"


def test_a_linked_file_is_left_alone(home: Path) -> None:
    """A dotfile that is a link into somebody's repository is not replaced by a file."""
    real = home / "dotfiles-emacs"
    real.write_text("(setq a 1)\n")
    (home / ".emacs").symlink_to(real)
    desk = Desk(home)
    shown = desk.call("setup.show", editor="emacs")
    with pytest.raises(RefusedError, match="not a regular file"):
        desk.call("setup.write", editor="emacs", fingerprint=shown.fingerprint)
    assert real.read_text() == "(setq a 1)\n"


def test_an_agent_may_not_write(home: Path) -> None:
    """An editor's configuration is a program that runs."""
    desk = Desk(home)
    shown = desk.call("setup.show", editor="helix")
    with pytest.raises(RefusedError):
        desk.call("setup.write", agent=True, editor="helix", fingerprint=shown.fingerprint)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("", "append"),
        ('[[language]]\nname = "rust"\n', "append"),
        ('[[language]]\nname = "markdown"\n', "by hand"),
        ("language = 3\n", "by hand"),
        ("[[language", "by hand"),
        ("[language-server.waybook]\n", "present"),
    ],
)
def test_helix_is_added_to_only_where_the_result_is_still_right(text: str, state: str, home: Path) -> None:
    """A second table for Markdown, or a broken file, is the person's to mend."""
    path = home / ".config/helix/languages.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    found = plan(NAMED["helix"], _place(home))
    assert found.state == state
    if state == "append":
        body = tomllib.loads(f"{text}\n{found.addition}")
        assert body["language-server"]["waybook"] == {"command": "waybook", "args": ["lsp"]}


def test_editors_without_a_file_to_write_are_refused_with_their_steps(home: Path) -> None:
    """Their configuration is JSON with a person's comments, or a dialogue."""
    desk = Desk(home)
    for name in ("vscode", "zed", "jetbrains", "sublime"):
        shown = desk.call("setup.show", editor=name)
        with pytest.raises(RefusedError, match="nothing can be written"):
            desk.call("setup.write", editor=name, fingerprint=shown.fingerprint)


def test_an_unknown_editor_is_told_the_known_ones(home: Path) -> None:
    """With what works for every other client."""
    with pytest.raises(UsageError) as caught:
        Desk(home).call("setup.show", editor="ed")
    assert "neovim" in (caught.value.hint or "")
    assert "waybook lsp" in (caught.value.hint or "")


def test_a_program_that_is_not_on_path_is_named_whole(home: Path) -> None:
    """Spaces and quotes in its path survive in each language."""
    odd = ('/opt/my "tools"/python', "-m", "waybook")
    assert json.loads(plan(NAMED["vscode"], _place(home, *odd)).addition) == {"waybook.server.command": list(odd)}
    helix = tomllib.loads(plan(NAMED["helix"], _place(home, *odd)).addition)["language-server"]["waybook"]
    assert [helix["command"], *helix["args"]] == [*odd, "lsp"]
    for name in ("neovim", "emacs"):
        assert r"/opt/my \"tools\"/python" in plan(NAMED[name], _place(home, *odd)).addition
    assert plan(NAMED["vscode"], _place(home)).addition == ""


def test_the_plugin_is_where_neovim_is_told_to_look(home: Path) -> None:
    """The directory on the runtimepath holds the plugin."""
    assert Path(plugin(), "lsp/waybook.lua").is_file()
    assert json.dumps(plugin()) in plan(NAMED["neovim"], _place(home)).addition


def test_the_command_line_asks_before_it_writes(home: Path) -> None:
    """No answer, no file; --yes answers; a second time there is nothing to do."""
    path = home / ".config/nvim/plugin/waybook-setup.lua"
    refused = waybook("setup", "neovim", "--write", cwd=home, code=2)
    assert "Nothing was changed" in refused.err
    assert not path.exists()
    assert "Written:" in waybook("setup", "neovim", "--write", "--yes", cwd=home, code=0).out
    assert path.read_text().count("vim.lsp.enable") == 1
    assert "nothing to do" in waybook("setup", "neovim", "--write", cwd=home, code=0).out
    assert waybook("setup", "neovim", "--json", cwd=home, code=0).json["state"] == "present"
    assert waybook("setup", "zed", "--write", "--yes", cwd=home, code=2).err.count("nothing can be written") == 1
    assert waybook("setup", "neovim", "--write", "--json", cwd=home, code=2).json["error"]["code"] == "confirm-missing"


def test_doctor_tells_which_editors_are_set_up(home: Path) -> None:
    """Those that are here or were configured; a program that is gone is a problem."""
    (home / "bin").mkdir()
    nvim = home / "bin/nvim"
    nvim.write_text("#!/bin/sh\n")
    nvim.chmod(0o755)
    env = {"PATH": f"{home / 'bin'}:/usr/bin:/bin"}
    report = waybook("doctor", "--json", cwd=home, env=env).json
    assert report["editors"]["neovim"] == "found, not set up: waybook setup neovim"
    assert "helix" not in report["editors"]
    waybook("setup", "neovim", "--write", "--yes", cwd=home, code=0)
    path = home / ".config/nvim/plugin/waybook-setup.lua"
    assert waybook("doctor", "--json", cwd=home, env=env).json["editors"]["neovim"] == f"set up in {path}"
    path.write_text(re.sub(r"cmd = \{.*?\}", 'cmd = { "/gone/python", "-m", "waybook" }', path.read_text()))
    problems = waybook("doctor", "--json", cwd=home, env=env).json["problems"]
    assert [item for item in problems if "/gone/python" in item and "neovim" in item]


def test_without_a_home_nothing_is_guessed() -> None:
    """A file in a made-up directory would help nobody."""
    from waybook.base.errors import NotFoundError

    with pytest.raises(NotFoundError, match="home directory"):
        plan(NAMED["helix"], Place({}, ("waybook",)))
    assert plan(NAMED["zed"], Place({}, ("waybook",))).state == "by hand"
