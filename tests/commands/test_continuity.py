"""`sessions.checkpoint`, `sessions.tree`, `sessions.fork`, `sessions.resume`, `sessions.compare`, `sessions.handoff`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from support.workspaces import Desk, make_tree
from waybook.base.actor import Actor
from waybook.base.errors import NotFoundError, RefusedError, UsageError
from waybook.base.records import to_json
from waybook.commands.model import Call
from waybook.commands.registry import load

if TYPE_CHECKING:
    from pathlib import Path


PERSON = Actor("operator", "tester")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A workspace with a run."""
    return Desk(make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "root\n"}))


def hand_over(desk: Desk, who: Actor = PERSON, **params: Any) -> Any:
    """`sessions.handoff`, one of whose parameters has the name of one of the desk's own."""
    command = load("sessions.handoff")
    return command.run(desk.app, command.params(**params), Call(who))


def test_checkpoint_fork_resume_tree(desk: Desk) -> None:
    """The whole way, through the commands; every node has id, run and session."""
    run = desk.call("runs.create", goal="review parser")
    node = desk.call("sessions.checkpoint", name=run.id, title="Parser reviewed", summary="Ready", mode="plan")
    assert node.snapshot.instruction_fingerprint == run.fingerprint
    fork = desk.call("sessions.fork", node=node.id, goal="Try another way", title="Another")
    resume = desk.call("sessions.resume", node=node.id)
    assert (fork.run.goal, fork.node.title) == ("Try another way", "Another")
    assert resume.run.goal == "review parser"
    tree = to_json(desk.call("sessions.tree", name=node.session_id))
    assert [item["kind"] for item in tree["nodes"]] == ["root", "checkpoint", "fork", "resume"]
    assert all(item["id"] and item["run_id"] and item["session_id"] for item in tree["nodes"])
    json.dumps(to_json(fork))


def test_compare_and_handoff(desk: Desk) -> None:
    """A run stands for its newest node."""
    run = desk.call("runs.create", goal="review parser")
    node = desk.call("sessions.checkpoint", name=run.id)
    fork = desk.call("sessions.fork", node=node.id)
    assert desk.call("sessions.compare", a=node.id, b=fork.run.id).same
    result = hand_over(desk, node=fork.run.id, agent="codex", goal="go on")
    assert result.text.endswith("## My request:\n\ngo on\n")
    assert result.tokens <= result.max_tokens
    with pytest.raises(UsageError):
        hand_over(desk, node=node.id, agent="codex", max_tokens=1)


def test_a_workspace_is_named_for_a_session_without_one(desk: Desk, tmp_path: Path) -> None:
    """The option takes a directory or a registered name; a missing one is an error."""
    run = desk.call("runs.create", goal="g")
    with pytest.raises(NotFoundError):
        desk.call("sessions.checkpoint", name=run.id, workspace="nowhere")


def test_all_of_it_is_a_person_s(desk: Desk) -> None:
    """Neither writing nor reading is an agent's."""
    run = desk.call("runs.create", goal="g")
    node = desk.call("sessions.checkpoint", name=run.id)
    for command, params in (
        ("sessions.checkpoint", {"name": run.id}),
        ("sessions.fork", {"node": node.id}),
        ("sessions.resume", {"node": node.id}),
        ("sessions.tree", {"name": run.id}),
        ("sessions.compare", {"a": node.id, "b": node.id}),
    ):
        with pytest.raises(RefusedError, match="operator"):
            desk.call(command, agent=True, **params)
    with pytest.raises(RefusedError, match="operator"):
        hand_over(desk, Actor("agent", "robot"), node=node.id, agent="codex")
