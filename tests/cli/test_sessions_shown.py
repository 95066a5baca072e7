"""`waybook sessions` as a person types it: the real program on homes that real agents wrote."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from sessions.transcripts.samples import fingerprint, unpack
from support.workspaces import Done, make_tree, waybook

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "root\n"})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for scenario in ("claude/S5-subagent", "codex/S4-compaction", "gemini/S2-tools"):
        unpack(scenario, tmp_path / scenario)
        shutil.copytree(tmp_path / scenario / "home", tmp_path / "home", dirs_exist_ok=True)
    return tmp_path / "home"


def sessions(ws: Path, home: Path, *arguments: str, code: int = 0) -> Done:
    return waybook("sessions", *arguments, "--home", str(home), cwd=ws, code=code)


def test_list_import_show_search_export(ws: Path, home: Path) -> None:
    """From a fresh machine to a page in a browser; nothing in the home is touched."""
    before = fingerprint(home)
    fresh = sessions(ws, home, "list")
    assert "3 sessions; 3" not in fresh.out
    assert "waybook sessions import" in fresh.out
    found: list[dict[str, Any]] = sessions(ws, home, "list", "--json").json["sessions"]
    assert {one["agent"] for one in found} == {"claude-code", "codex", "gemini-cli"}
    assert {"id", "agent", "native_id", "title", "cwd", "started_at", "messages"} <= set(found[0])
    assert "new messages" in sessions(ws, home, "import").out
    assert sessions(ws, home, "import", "--json").json["new_messages"] == 0
    assert "0 with something new" in sessions(ws, home, "scan").out

    claude = next(one for one in found if one["agent"] == "claude-code")
    shown = sessions(ws, home, "show", claude["id"]).out
    assert "You" in shown
    assert "subagent ses_" in shown
    assert "Agent: ok" in shown
    page = sessions(ws, home, "show", claude["native_id"], "--html").out
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")
    assert sessions(ws, home, "show", claude["id"], "--markdown").out.startswith("# Use a helper agent")
    assert sessions(ws, home, "show", claude["id"], "--json").json["session"]["id"] == claude["id"]

    assert "helper" in sessions(ws, home, "search", "helper").out
    assert sessions(ws, home, "search", "no such words", "--json").json["found"] == []
    lines = sessions(ws, home, "export").out.splitlines()
    assert len([json.loads(line) for line in lines]) == 4
    whole = sessions(ws, home, "export", "--json").json
    assert [one["session"]["id"] for one in whole["sessions"]] == [json.loads(line)["session"]["id"] for line in lines]
    assert sessions(ws, home, "export", claude["id"], "--format", "html").out == page
    assert sessions(ws, home, "export", "--format", "markdown").out.count("\n---\n") >= 3
    assert fingerprint(home) == before


def test_control_characters_do_not_drive_the_terminal(ws: Path, tmp_path: Path) -> None:
    """Escapes in a transcript are shown, not sent."""
    log = tmp_path / "home" / ".claude" / "projects" / "p" / "s.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text(
        '{"type":"user","uuid":"a","sessionId":"s1","cwd":"/srv/\\u001b[31m","timestamp":"2026-01-05T10:00:00.000Z",'
        '"message":{"role":"user","content":"one\\u001b]0;title\\u0007two\\nthree"}}\n'
    )
    for arguments in (("list",), ("show", "s1"), ("scan",)):
        done = sessions(ws, tmp_path / "home", *arguments)
        assert "\x1b" not in done.out
        assert "\x07" not in done.out
    assert "  three" in sessions(ws, tmp_path / "home", "show", "s1").out


def test_what_cannot_be_meant(ws: Path, home: Path) -> None:
    """Exit code 2 and one sentence, as JSON where that was asked for."""
    assert "There is no session" in sessions(ws, home, "show", "nope", code=2).err
    assert sessions(ws, home, "show", "nope", "--json", code=2).json["error"]["code"] == "no-session"
    assert "cannot read sessions" in sessions(ws, home, "list", "--agent", "nobody", code=2).err
    assert "--format" in sessions(ws, home, "export", "--json", "--format", "html", code=2).out
    assert "one session" in sessions(ws, home, "export", "--format", "html", code=2).err
    assert "is no directory" in sessions(ws, home / "nowhere", "import", code=2).err


def test_an_empty_home(ws: Path, tmp_path: Path) -> None:
    """Nothing found is no error."""
    (tmp_path / "home").mkdir()
    for arguments, words in ((("list",), "No sessions found"), (("scan",), "No transcripts"), (("import",), "0 new")):
        assert words in sessions(ws, tmp_path / "home", *arguments).out
    assert sessions(ws, tmp_path / "home", "export", "--json").json == {
        "sessions": [],
        "protocol": "waybook.conversation/v1",
    }
