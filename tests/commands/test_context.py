"""`context.preview`, `context.audit`, `context.run`, `goals.*` and `tasks.show` as the faces call them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter

from support.model_server import says, serving
from support.workspaces import Desk, make_tree, waybook
from waybook.base.errors import NotFoundError, RefusedError, UsageError
from waybook.base.records import to_json
from waybook.commands.registry import COMMANDS, load

if TYPE_CHECKING:
    from pathlib import Path

OWN = [name for name in COMMANDS if name.partition(".")[0] in {"context", "goals", "tasks"}]
KEYS = {"rank", "kind", "id", "title", "tokens", "included", "reason"}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    files: dict[str, Any] = {".git": None, "AGENTS.md": "root rules\n", "src/AGENTS.md": "src rules\n", "src/a.py": ""}
    return Desk(make_tree(tmp_path / "shop", files))


def kinds(preview: Any) -> list[str]:
    return [section.kind for section in preview.sections if section.included]


def test_a_preview_of_a_target(desk: Desk) -> None:
    """The instructions that apply there, memory of the person, in order of authority; the contract's fields alone."""
    desk.call("memory.create", scope="user", title="Language", content="Answer in German")
    shown = desk.call("context.preview", target="src/a.py", window=8000)
    body = to_json(shown)
    assert set(body) == {"window", "total_tokens", "sections"}
    assert all(set(section) == KEYS for section in body["sections"])
    assert body["window"] == 8000
    assert body["total_tokens"] == sum(one["tokens"] for one in body["sections"] if one["included"])
    assert [one["rank"] for one in body["sections"]] == sorted(one["rank"] for one in body["sections"])
    assert [one["id"] for one in body["sections"] if one["kind"] == "instructions"] == ["AGENTS.md", "src/AGENTS.md"]
    assert "memory" in kinds(shown)
    alone = desk.call("context.preview", target=".", window=8000)
    assert len([one for one in alone.sections if one.kind == "instructions"]) == 1


def test_a_preview_of_a_thread_and_its_run(desk: Desk) -> None:
    """Goal, mode, goals, pins, the pinned instructions, notes; a disabled memory is no candidate."""
    thread = desk.call("threads.create", title="Parser").id
    run = desk.call("runs.create", goal="review parser", profile="review", thread=thread).id
    desk.call("pins.add", thread=thread, text="Never touch generated files")
    desk.call("notes.add", thread=thread, title="Tabs", content="Use tabs")
    memory = desk.call("memory.create", scope="user", title="Language", content="Answer in German").memory
    desk.call("goals.add", owner=thread, title="read")
    (desk.root / "AGENTS.md").write_text("changed since\n")
    shown = desk.call("context.preview", thread=thread)
    assert {"goal", "mode", "pin", "instructions", "memory", "note", "frame", "system"} == set(kinds(shown))
    assert kinds(desk.call("context.preview", run=run)).count("pin") == 1
    excluded = desk.call("context.preview", thread=thread, exclude=(memory.id,))
    (left,) = [one for one in excluded.sections if not one.included]
    assert (left.id, left.reason) == (memory.id, "operator_excluded")
    desk.call("memory.disable", memory=memory.id, version=1)
    assert "memory" not in [one.kind for one in desk.call("context.preview", thread=thread).sections]


def test_a_preview_says_what_does_not_fit(desk: Desk) -> None:
    """Pins are required: the error names sizes and what to trim."""
    thread = desk.call("threads.create", title="Parser").id
    desk.call("pins.add", thread=thread, text="word " * 600)
    with pytest.raises(RefusedError) as caught:
        desk.call("context.preview", thread=thread, window=500)
    assert caught.value.code == "context-too-large"
    assert caught.value.details["sizes"]["pin"] > 500
    with pytest.raises(UsageError):
        desk.call("context.preview", thread=thread, run="run_x")
    with pytest.raises(NotFoundError):
        desk.call("context.preview", thread="thr_x")


def test_a_preview_as_a_document(desk: Desk) -> None:
    """For editors; what files and people say is no markup there."""
    desk.call("memory.create", scope="user", title="a | b <script> *x*", content="y")
    text = desk.call("context.preview", target=".", markdown=True).text
    assert text.startswith("# What a model would see")
    assert "a \\| b \\<script\\> \\*x\\*" in text
    assert "█" in text


def test_goals(desk: Desk) -> None:
    """Add, focus, complete, abandon; by people and agents."""
    thread = desk.call("threads.create", title="Parser").id
    desk.call("goals.add", agent=True, owner=thread, title="read")
    desk.call("goals.add", owner=thread, title="header", under="1")
    assert desk.call("goals.focus", owner=thread, goal="1.1").focus == "1.1"
    desk.call("goals.done", owner=thread, goal="1.1", summary="two versions")
    desk.call("goals.abandon", owner=thread, goal="1", reason="not needed")
    listed = desk.call("goals.list", owner=thread)
    assert [goal.status for goal in listed.goals] == ["abandoned", "completed"]
    assert listed.version == 5
    assert "two versions" in listed.text


def test_who_may_call_what() -> None:
    """Agents look and plan; only a person runs tasks and reads whole contracts."""
    assert {name for name in OWN if load(name).actor == "operator"} == {"context.run", "tasks.show"}


@pytest.mark.parametrize("name", OWN)
def test_parameters_are_documented(name: str) -> None:
    """Titles and parameters are documented; faces can read them."""
    command = load(name)
    assert command.title
    assert all(item.metadata["doc"] for item in fields(command.params))
    assert TypeAdapter(command.params).json_schema()["properties"]


def test_audit_and_contracts_of_a_run_from_the_command_line(tmp_path: Path) -> None:
    """The real program, as a table and as JSON; the key is in the environment and nowhere in the store."""
    root = make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "rules\n"})
    answers = iter([says("", ("goal", {"add": "look", "focus": "1"})), says("All is well."),
                    says('{"verdict":"passed","reason":"shown"}')])  # fmt: skip
    env = {"WAYBOOK_RUN_API_KEY": "not-a-real-key"}
    with serving(lambda _request: next(answers)) as server:
        arguments = ("context", "run", "--endpoint", server.url, "--model", "m", "--goal", "Look", "--json")
        done = waybook(*arguments, cwd=root, env=env, code=0).json
        assert server.keys[0] == "Bearer not-a-real-key"
    assert (done["answer"], done["validation"]["verdict"]) == ("All is well.", "passed")
    trace = done["trace_id"]
    assert "[>] 1 look" in waybook("goals", "list", trace, cwd=root, code=0).out
    audits = waybook("context", "audit", trace, "--json", cwd=root, code=0).json["calls"]
    assert [one["call"] for one in audits] == [3, 2, 1]
    for one in audits:
        assert one["protocol"] == "context_audit.v1"
        assert one["total_tokens"] == sum(section["tokens"] for section in one["included"])
    shown = waybook("context", "audit", trace, "--call", "1", cwd=root, code=0).out
    assert "AGENTS.md" in shown
    assert "objective" in waybook("tasks", "show", trace, cwd=root, code=0).out
    preview = waybook("context", "preview", "--run", done["run_id"], cwd=root, code=0).out
    assert "pinned instructions and memory" in preview
    assert "history" in preview
    assert b"not-a-real-key" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*.db*"))


def test_a_run_without_a_server_is_told(tmp_path: Path) -> None:
    """A sentence, no trace of the program."""
    root = make_tree(tmp_path / "shop", {".git": None})
    done = waybook("context", "run", "--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--goal", "x", cwd=root)
    assert done.code != 0
    assert "cannot be reached" in done.err
    assert done.out == ""
