"""Threads, notes, candidates and pins as a person types them: the real program, pipes and files."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from support.fakes import expand
from support.workspaces import WAYBOOK, make_tree, waybook

if TYPE_CHECKING:
    from pathlib import Path

TEXT = " a\r\nb\rc \U0001f389 e\u0301 \u2028\n\n"


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "root\n"})


def say(ws: Path, *arguments: str) -> Any:
    """The JSON of a command that succeeds."""
    return waybook(*arguments, "--json", cwd=ws, code=0).json


def pipe(ws: Path, data: bytes, *arguments: str, code: int = 0) -> Any:
    """The JSON of a command that reads standard input."""
    done = subprocess.run(
        [str(WAYBOOK), *arguments, "--json"],
        cwd=ws,
        input=data,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, "LC_ALL": "C"},
    )
    assert done.returncode == code, (done.stdout, done.stderr)
    return json.loads(done.stdout)


def test_pins_come_back_byte_for_byte(ws: Path, tmp_path: Path) -> None:
    """From an option, a file, `-` and a pipe, whatever the locale."""
    thread = say(ws, "thread", "create", "--title", "Parser")["id"]
    (tmp_path / "pin.txt").write_bytes(TEXT.encode())
    say(ws, "pins", "add", thread, "--text", TEXT)
    say(ws, "pins", "add", thread, "--file", str(tmp_path / "pin.txt"))
    pipe(ws, TEXT.encode(), "pins", "add", thread, "--file", "-")
    added = pipe(ws, TEXT.encode(), "pins", "add", thread)
    listed = say(ws, "pins", "list", thread)
    assert [item["text"] for item in listed["pins"]] == [TEXT] * 4
    assert added["characters"] == listed["characters"] == 4 * len(TEXT)
    edited = pipe(ws, b"new\r\n", "pins", "edit", added["pin"]["id"], "--version", "1")
    assert (edited["pin"]["version"], edited["pin"]["text"]) == (2, "new\r\n")


def test_texts_that_cannot_be_read(ws: Path, tmp_path: Path) -> None:
    """Not UTF-8, too long, given twice or not at all: said in one sentence, nothing written."""
    thread = say(ws, "thread", "create", "--title", "Parser")["id"]
    assert pipe(ws, b"ok \xff", "pins", "add", thread, code=2)["error"]["code"] == "not-utf8"
    assert pipe(ws, b"", "pins", "add", thread, code=2)["error"]["code"] == "bad-pin"
    assert pipe(ws, b"piped", "pins", "add", thread, "--text", "", code=2)["error"]["code"] == "bad-pin"
    assert pipe(ws, b"x" * 2_000_000, "pins", "add", thread, code=2)["error"]["code"] == "text-too-long"
    assert pipe(ws, b"x" * 8193, "pins", "add", thread, code=2)["error"]["limit"] == 8192
    (tmp_path / "pin.txt").write_text("x")
    twice = waybook("pins", "add", thread, "--text", "x", "--file", str(tmp_path / "pin.txt"), cwd=ws, code=2)
    assert "not with both" in twice.err
    missing = waybook("pins", "add", thread, "--file", str(tmp_path / "missing"), cwd=ws, code=2)
    assert "missing" in missing.err
    assert say(ws, "pins", "list", thread)["pins"] == []


def test_a_secret_is_refused_and_nowhere(ws: Path, own_data_directory: Path) -> None:
    """Neither in the output nor in any file; with rule and position."""
    thread = say(ws, "thread", "create", "--title", "Parser")["id"]
    token = expand("${FAKE_GITHUB}")
    for arguments in (("pins", "add", thread), ("pins", "propose", thread), ("notes", "add", "--title", "x")):
        answer = pipe(ws, f"use\n{token}\n".encode(), *arguments, code=2)
        assert answer["error"]["code"] == "secret-found"
        assert "line 2" in answer["error"]["message"]
        assert token not in json.dumps(answer)
    for path in own_data_directory.rglob("*"):
        assert token.encode() not in path.read_bytes()


def test_from_a_note_to_a_memory(ws: Path) -> None:
    """The whole way with people's output; the printed command confirms what is shown, when it is typed as it stands."""
    thread = say(ws, "thread", "create", "--title", "Parser")["id"]
    run = say(ws, "run", "create", "--goal", "x", "--thread", thread)["id"]
    note = pipe(ws, b"Use tabs\x1b[31m.\n", "notes", "add", "--run", run, "--title", "Tabs", "--evidence", "a.md")
    assert (note["version"], note["content"]) == (1, "Use tabs\x1b[31m.")
    assert "Nothing waits" in waybook("candidates", "list", cwd=ws, code=0).out
    waybook("run", "move", run, "running", cwd=ws, code=0)
    assert "candidates list" in waybook("run", "move", run, "completed", cwd=ws, code=0).out
    shown = waybook("candidates", "list", cwd=ws, code=0).out
    assert "Use tabs\\x1b[31m." in shown
    assert "\x1b" not in shown
    command = shown[shown.index("waybook candidates confirm") :].partition("--confirm")
    typed = (command[0] + command[1]).replace("\\\n", " ").split()[1:]
    assert "was confirmed as memory" in waybook(*typed, cwd=ws, code=0).out
    assert "was confirmed before" in waybook(*typed, cwd=ws, code=0).out
    reviewed = say(ws, "candidates", "list", "--reviewed")["candidates"]
    assert (reviewed[0]["status"], reviewed[0]["title"], reviewed[0]["content"]) == ("confirmed", None, None)
    memory = say(ws, "memory", "show", reviewed[0]["memory_id"])
    assert memory["source_kind"] == "operator_confirmed_candidate"


def test_a_proposal_is_answered(ws: Path) -> None:
    """People see the exact text and how to answer; each answer does what it says."""
    thread = say(ws, "thread", "create", "--title", "Parser")["id"]
    ids = [say(ws, "pins", "propose", thread, "--text", f"text {number}")["id"] for number in range(3)]
    shown = waybook("pins", "proposals", thread, cwd=ws, code=0).out
    assert all(f"| text {number}" in shown for number in range(3))
    assert f"waybook pins answer {ids[0]}" in shown
    waybook("pins", "answer", ids[0], "keep", cwd=ws, code=0)
    waybook("pins", "answer", ids[1], "only-now", cwd=ws, code=0)
    waybook("pins", "answer", ids[2], "custom", "--reply", "mine", "--pin-reply", cwd=ws, code=0)
    assert [item["text"] for item in say(ws, "pins", "list", thread)["pins"]] == ["text 0", "mine"]
    conflict = waybook("pins", "answer", ids[0], "only_now", "--json", cwd=ws, code=2)
    assert conflict.json["error"]["code"] == "already-answered"
    assert "nothing was written" in waybook("pins", "answer", ids[0], "keep", cwd=ws, code=0).out


def test_every_page_for_people(ws: Path) -> None:
    """Tables, single records and empty lists print without a flaw; a stale version is a conflict that names the next."""
    assert "thread create" in waybook("thread", "list", cwd=ws, code=0).out
    thread = say(ws, "thread", "create", "--title", "Parser")["id"]
    run = say(ws, "run", "create", "--goal", "x", "--thread", thread)["id"]
    assert "notes add" in waybook("notes", "list", cwd=ws, code=0).out
    assert "pins add" in waybook("pins", "list", thread, cwd=ws, code=0).out
    assert "No proposals" in waybook("pins", "proposals", thread, cwd=ws, code=0).out
    note = say(ws, "notes", "add", "--run", run, "--title", "T", "--content", "C", "--source-ref", "m:1")["id"]
    for arguments, expected in [
        (("thread", "list"), "1 run"),
        (("thread", "show", thread), run),
        (("notes", "list"), note),
        (("notes", "show", note), "| C"),
        (("notes", "edit", note, "--version", "1", "--content", "D"), "version 2"),
        (("notes", "archive", note, "--version", "2"), "archived"),
        (("run", "record", "delivery_checkpoint", "--run", run, "--reference", "cp:1"), "recorded"),
        (("pins", "add", thread, "--text", "p"), "1 of 32 pins"),
        (("thread", "close", thread, "--version", "1"), "takes nothing new"),
    ]:
        assert expected in waybook(*arguments, cwd=ws, code=0).out
    conflict = waybook("thread", "close", thread, "--version", "1", "--json", cwd=ws, code=2).json["error"]
    assert (conflict["code"], conflict["details"]["current_version"]) == ("version-conflict", 2)
