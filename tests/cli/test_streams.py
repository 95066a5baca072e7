"""Pipes, colours, locales and terminals."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support.workspaces import WAYBOOK, make_tree, waybook

if TYPE_CHECKING:
    from pathlib import Path

posix_only = pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are POSIX")


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A workspace with one finding and text beyond ASCII."""
    files = {".git": None, "AGENTS.md": "Grüße, 測試 🚀\n", "AGENTS.override.md": "\n", "é.py": ""}
    return make_tree(tmp_path / "shöp", files)


def on_terminal(cwd: Path, *arguments: str, env: dict[str, str] | None = None, answer: bytes = b"") -> tuple[int, str]:
    """Exit code and everything shown, with a pseudo-terminal of 100 columns for all streams."""
    import pty
    import termios

    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (40, 100))
    environ = {**os.environ, "TERM": "xterm", "COLUMNS": "", **(env or {})}
    environ.pop("NO_COLOR", None) if "NO_COLOR" not in (env or {}) else None
    process = subprocess.Popen([WAYBOOK, *arguments], cwd=cwd, env=environ, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    if answer:
        os.write(master, answer)
    shown = b""
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:  # Linux says that the other end is gone
            break
        if not more:
            break
        shown += more
    os.close(master)
    return process.wait(30), shown.decode()


@pytest.mark.parametrize(
    "arguments",
    [("explain",), ("check", "--json"), ("--help",), ("nonsense", "--json"), ("explain", "no/dir/x", "--json")],
)
def test_a_reader_that_goes_away_is_not_a_finding(ws: Path, arguments: tuple[str, ...]) -> None:
    """A closed pipe ends with 2 and in silence, never with 1 or a traceback."""
    process = subprocess.Popen([WAYBOOK, *arguments], cwd=ws, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(30) == 2


@posix_only
def test_colours_are_for_terminals_that_want_them(ws: Path) -> None:
    """Escape sequences on a terminal, none with NO_COLOR, none in a pipe."""
    assert "\x1b[" in on_terminal(ws, "check")[1]
    assert "\x1b[" not in on_terminal(ws, "check", env={"NO_COLOR": "1"})[1]
    assert "\x1b[" not in waybook("check", cwd=ws, code=1).out


@posix_only
def test_prose_fits_a_terminal_of_100_columns(ws: Path) -> None:
    """Long messages are wrapped on a terminal; a pipe gets one line, for grep."""
    make_tree(ws, {"some/deeply/nested/directory/AGENTS.md": ""})
    code, shown = on_terminal(ws, "check", env={"NO_COLOR": "1"})
    assert code == 1
    assert max(len(line) for line in shown.splitlines() if str(ws) not in line) <= 100, "a path stays whole"
    _, listed = on_terminal(ws, "agents", "list", env={"NO_COLOR": "1"})
    assert max(len(line) for line in listed.splitlines() if str(ws) not in line) <= 100, "a path stays whole"
    plain = waybook("check", cwd=ws, code=1).out
    assert any("needs between 1 and 65,536 bytes of text. Write" in line for line in plain.splitlines())


@posix_only
@pytest.mark.parametrize(("answer", "code", "revision"), [(b"n\n", 2, 1), (b"y\n", 0, 2), (b"\x04", 2, 1)])
def test_confirm_shows_the_change_and_asks(ws: Path, answer: bytes, code: int, revision: int) -> None:
    """On a terminal the difference comes first; only "y" confirms."""
    waybook("pin", cwd=ws, code=0)
    (ws / "AGENTS.md").write_text("changed\n")
    answered, shown = on_terminal(ws, "confirm", answer=answer, env={"NO_COLOR": "1"})
    assert answered == code
    assert "+changed" in shown
    assert shown.index("+changed") < shown.index("Confirm this as reviewed?")
    assert (ws / "AGENTS.md").read_text() == "changed\n"
    drift = waybook("drift", "--json", cwd=ws, code=0 if code == 0 else 1).json
    assert drift["revision"] == revision


@posix_only
def test_confirm_with_nothing_to_confirm(ws: Path) -> None:
    """It says so and leaves with 0."""
    waybook("pin", cwd=ws, code=0)
    code, shown = on_terminal(ws, "confirm", env={"NO_COLOR": "1"})
    assert (code, "No drift" in shown) == (0, True)


LOCALES = [
    {"LC_ALL": "C"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "POSIX"},
]


@pytest.mark.parametrize("locale", LOCALES)
def test_the_locale_changes_no_answer(ws: Path, locale: dict[str, str]) -> None:
    """The snapshot's JSON is the same UTF-8 in every locale; text output never fails."""
    command = ("context", "instructions", "--json")
    plain = waybook(*command, cwd=ws, code=0).json
    told = waybook(*command, cwd=ws, env=locale, code=0).json
    assert {**told, "loaded_at": ""} | {"sources": [{**item, "loaded_at": ""} for item in told["sources"]]} == {
        **plain,
        "loaded_at": "",
    } | {"sources": [{**item, "loaded_at": ""} for item in plain["sources"]]}
    waybook("explain", cwd=ws, env=locale, code=0)
    waybook("check", cwd=ws, env=locale, code=1)
    (ws / "AGENTS.md").write_bytes(b"caf\xe9\n")
    error = waybook(*command, cwd=ws, env=locale, code=2).json["error"]
    assert (error["code"], error["details"]["byte_offset"]) == ("not-utf8", 3)
    assert "\ufffd" not in error["message"]


@pytest.mark.skipif(sys.platform != "linux", reason="a removed current directory is a Unix thing")
def test_a_current_directory_that_is_gone(tmp_path: Path) -> None:
    """A sentence, not a traceback."""
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f'rmdir "{gone}"; exec "{WAYBOOK}" explain --json'
    done = waybook("-c", script, cwd=gone, program=("/bin/sh",), code=2)
    assert done.json["error"]["code"] == "no-directory"
