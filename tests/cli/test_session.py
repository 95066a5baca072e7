"""`waybook session ...` as a person types it: the real program, on a session that a real agent's transcript holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from continuity.world import FIXTURES, git, repository
from support.workspaces import waybook

if TYPE_CHECKING:
    from pathlib import Path


class Person:
    """In a repository, with a home in which Claude Code has written one session."""

    def __init__(self, base: Path) -> None:
        self.ws = repository(base / "shop")
        self.home = base / "home"
        folder = self.home / ".claude" / "projects" / "shop"
        folder.mkdir(parents=True)
        case = (FIXTURES / "continuity" / "C55.json").read_text(encoding="utf-8")
        text = json.loads(case.replace("/srv/demo", str(self.ws)))["tree"]["t.jsonl"]
        (folder / "11111111-2222-4333-8444-555555555555.jsonl").write_text(text)
        self.json("sessions", "import")

    def say(self, *arguments: str, code: int = 0) -> Any:
        return waybook(*arguments, cwd=self.ws, env={"HOME": str(self.home)}, code=code)

    def json(self, *arguments: str) -> Any:
        return self.say(*arguments, "--json").json

    def session(self) -> str:
        return self.json("sessions", "list")["sessions"][0]["id"]


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_the_whole_way(person: Person) -> None:
    """Checkpoint, fork, resume, tree, compare and handoff of an imported session, in the spellings of the contract."""
    session = person.session()
    node = person.json("session", "checkpoint", session, "--title", "Parser reviewed", "--summary", "Ready for tests")
    assert {"id", "run_id", "session_id"} <= set(node)
    fork = person.json("session", "fork", node["id"], "--goal", "Try alternate implementation")
    resume = person.json("session", "resume", node["id"])
    assert fork["run_id"] != resume["run_id"]
    assert fork["session_id"] != resume["session_id"] != node["session_id"]
    tree = person.json("session", "tree", session)
    assert [item["id"] for item in tree["nodes"]][1:] == [node["id"], fork["id"], resume["id"]]
    person.json("session", "checkpoint", fork["run_id"])
    compared = person.json("session", "compare", node["id"], fork["run_id"])
    assert compared["same"]
    prompt = person.say("session", "handoff", fork["id"], "--agent", "codex")
    assert prompt.out.startswith("## Earlier session\n")
    assert prompt.out.endswith("## My request:\n\nTry alternate implementation\n")
    assert "tokens; 4 messages" in prompt.err
    shown = person.json("sessions", "show", fork["session_id"])
    assert len(shown["messages"]) == 4


def test_the_tree_is_drawn(person: Person) -> None:
    """Branches under the node they left from; what is only shown and what has drifted is marked; markup means nothing."""
    session = person.session()
    node = person.json("session", "checkpoint", session, "--title", "Half [bold]way\x1b[31m")
    fork = person.json("session", "fork", node["id"], "--title", "Other way")
    (person.ws / "b.txt").write_text("x")
    git(person.ws, "add", "-A")
    git(person.ws, "commit", "-qm", "second")
    out = person.say("session", "tree", fork["run_id"]).out
    lines = out.splitlines()
    assert lines[0].startswith("~ session Add a health check.")
    assert "└── checkpoint Half [bold]way\\x1b[31m  ! HEAD moved" in lines[1]
    assert lines[2].startswith("    └── fork Other way  ! HEAD moved")
    assert "0 messages and 4 inherited" in lines[2]
    assert "2 stored nodes, 1 other only shown (~), 2 with marks (!)" in out
    assert "\x1b" not in out


def test_what_is_said_of_each(person: Person) -> None:
    """For people: what a checkpoint holds, what a fork did not take over, what differs."""
    session = person.session()
    out = person.say("session", "checkpoint", session, "--mode", "plan", "--budget-tokens", "5000").out
    assert "4 recent messages" in out
    assert "main at " in out
    assert "5,000 tokens" in out
    node = person.json("session", "tree", session)["nodes"][1]["id"]
    out = person.say("session", "fork", node).out
    assert "Not inherited: approvals, grants, credentials" in out
    run = person.json("session", "resume", node)["run_id"]
    out = person.say("session", "compare", node, run).out
    assert "Both mean the same." in out
    assert "run" in out


def test_errors_say_what_to_do(person: Person) -> None:
    """Exit codes and hints for what is not there, what is only shown, and what cannot be meant."""
    session = person.session()
    done = person.say("session", "fork", f"session:{session}", code=2)
    assert "browsing only" in done.err
    assert person.say("session", "tree", "ses_none", code=2).err
    done = person.say("session", "checkpoint", session, "--mode", "bypassPermissions", code=2)
    assert "permission modes are never kept" in done.err


def test_many_checkpoints_are_cut_for_people(person: Person) -> None:
    """The newest are drawn, and those that something left from; the JSON has all."""
    session = person.session()
    first = person.json("session", "checkpoint", session, "--title", "the first one")
    person.json("session", "fork", first["id"])
    for _ in range(22):  # more than are drawn
        person.json("session", "checkpoint", session)
    out = person.say("session", "tree", session).out
    assert "… 2 earlier nodes" in out
    assert "the first one" in out
    assert len(person.json("session", "tree", session)["nodes"]) == 25
