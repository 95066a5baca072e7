"""The whole library end to end: three levels, each compressed, a revised child, validation, a return, all accounted for."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

from support.model_server import ModelServer, says, serving
from support.workspaces import Desk, make_tree
from waybook.base.canonical import sha256_hex
from waybook.context.trace import paired, waiting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WINDOW = 12_000
LONG = "I looked at another part of the parser and it reads well. " * 500
SKILL = "---\nname: ask_strategy\n---\n\nASK-STRATEGY: ask one question at a time.\n"


def brief(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "objective": name,
        "reason": "needed",
        "completion_criteria": [f"{name} works"],
        "expected_outputs": ["a report"],
        "constraints": [f"{name} constraint"],
        **fields,
    }


NEXT = brief("LEAF", objective="LEAF again", context={"b": 1, "a": [1, 2]})


def who(messages: list[dict[str, Any]]) -> str:
    """Whose turn a request is."""
    first = next((m["content"] for m in messages if m["role"] == "user" and "# Root task" in m["content"]), "")
    if "# Your task" not in first:
        return "root"
    return "leaf" if '"objective":"LEAF' in first else "middle"


def task_of(messages: list[dict[str, Any]]) -> str:
    """The id of the child whose result came last."""
    for message in reversed(messages):
        if message["role"] == "tool" and '"report"' in message["content"]:
            return str(json.loads(message["content"])["task"])
    raise AssertionError("no child has reported")


class Script:
    """What the model says, by whose turn it is and how many main-path turns that one had."""

    def __init__(self) -> None:
        self.turns: dict[str, int] = defaultdict(int)
        self.stumbled = False
        self.verdicts: list[str] = []

    def __call__(self, request: dict[str, Any]) -> dict[str, Any] | int:
        messages = request["messages"]
        if messages[0]["content"].startswith("You validate"):
            return self.judge(messages[-1]["content"])
        name = who(messages)
        if any(m["role"] == "user" and m["content"].startswith("Side branch: look back") for m in messages[-3:]):
            raise AssertionError("no reflection was asked for")
        if messages[-1]["content"].startswith("Side branch: the conversation"):
            return says(f"SUMMARY of {name}")
        turn = self.turns[name]
        if name == "root" and turn == 1 and not self.stumbled:
            self.stumbled = True
            return 503
        self.turns[name] += 1
        return getattr(self, name)(turn, messages)

    def judge(self, packet: str) -> dict[str, Any]:
        verdict = (
            "failed" if "FIRST TRY" in packet and "SECOND TRY" not in packet.split('"report"')[1][:40] else "passed"
        )
        self.verdicts.append(verdict)
        return says(json.dumps({"verdict": verdict, "reason": "as scripted"}))

    def work(self, turn: int) -> dict[str, Any]:
        """The beginning of each level: plan, work at length, finish the goal."""
        return [
            says("Planning", ("goal", {"add": "look around", "focus": "1"})),
            says(LONG, ("get_current_context", {})),
            says("More", ("goal", {"add": "go on", "focus": "2"})),
        ][turn]

    def root(self, turn: int, messages: list[dict[str, Any]]) -> dict[str, Any]:
        if turn < 3:
            return self.work(turn)
        if turn == 3:
            return says("", ("agent", {"brief": brief("MIDDLE")}))
        if turn == 4:
            return says("", ("agent", {"task": task_of(messages), "decision": "accept", "reason": "good"}))
        if turn == 5:
            return says("", ("goal", {"done": "1", "summary": "looked"}), ("goal", {"done": "2", "summary": "done"}))
        return says("The parser works." if turn == 6 else "Tried once more.")

    def middle(self, turn: int, messages: list[dict[str, Any]]) -> dict[str, Any]:
        if turn < 3:
            return self.work(turn)
        if turn == 3:
            return says("", ("agent", {"brief": brief("LEAF")}))
        task = task_of(messages)
        given: list[dict[str, Any]] = [
            {"task": task, "decision": "revise", "reason": "failed", "next_brief": NEXT},
            {"task": task, "brief": {**NEXT, "objective": "LEAF otherwise"}},
            {"task": task, "brief": NEXT},
            {"task": task, "decision": "accept"},
        ]
        return says("", ("agent", given[turn - 4])) if turn < 8 else says("MIDDLE is done.")

    def leaf(self, turn: int, messages: list[dict[str, Any]]) -> dict[str, Any]:
        if turn < 3:
            return self.work(turn)
        if turn == 3:
            return says("FIRST TRY")
        if turn == 4:
            (line,) = [line for m in messages for line in m["content"].splitlines() if line.startswith("- brief-")][
                -1:
            ] or [""]
            parts = line.split()
            given = {"ref_id": parts[1], "version": parts[4].rstrip(",")} if line else {"ref_id": "x", "version": "y"}
            return says("", ("read_context_ref", given), ("get_current_context", {}), ("bash", {"command": "ls"}))
        if turn == 5:
            (line,) = [line for line in messages[-2]["content"].splitlines() if line.startswith("- brief-")]
            parts = line.split()
            return says("", ("read_context_ref", {"ref_id": parts[1], "version": parts[4].rstrip(",")}))
        return says("SECOND TRY")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    files: dict[str, Any] = {".git": None, "AGENTS.md": "Use tabs.\n", "skills/ask.md": SKILL}
    return Desk(make_tree(tmp_path / "shop", files))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving(Script()) as made:
        yield made


def go(desk: Desk, server: ModelServer, **fields: Any) -> Any:
    given = {"endpoint": server.url, "model": "scripted", "goal": "Write the parser", "window": WINDOW, **fields}
    return desk.call("context.run", **given)


def prepared(desk: Desk) -> str:
    thread = desk.call("threads.create", title="Parser").id
    desk.call("pins.add", thread=thread, text="Never touch generated files")
    desk.call("memory.create", scope="user", title="Language", content="Answer in German")
    return thread


def test_a_scripted_three_level_task(desk: Desk, server: ModelServer) -> None:
    """Every level compresses in the middle, a child is revised, all is validated, and each call is accounted for."""
    thread = prepared(desk)
    outcome = go(
        desk, server, thread=thread, constraint=("no network",), criterion=("it parses",), skill=("skills/ask.md",)
    )
    assert outcome.answer == "The parser works."
    assert outcome.validation.verdict == "passed"
    assert (outcome.tasks, outcome.compressions) == (2, 3)

    tree = desk.call("tasks.show", trace=outcome.trace_id)
    root, middle, leaf = tree.tasks
    assert [task.depth for task in tree.tasks] == [0, 1, 2]
    assert (tree.objective, tree.constraints) == ("Write the parser", ("no network",))
    assert middle.briefs[0].constraints == ("no network", "MIDDLE constraint")
    assert [one.version for one in leaf.briefs] == [1, 2]
    assert all(one.constraints[:2] == ("no network", "MIDDLE constraint") for one in leaf.briefs)
    assert [one.verdict for one in leaf.results] == ["failed", "passed"]
    assert [ref.kind for ref in leaf.references] == ["task_brief"]
    assert [ref.kind for ref in root.references] == ["reviewed_task_result"]

    contexts = desk.app.contexts()
    for task in tree.tasks:
        trace = contexts.load(task.trace_id)
        path = trace.path()
        assert paired(path)
        assert waiting(path) == ()
        assert [one.kind for one in path if one.kind == "summary"] == ["summary"]
        assert any(one.branch_type == "compression" for one in trace.messages)
        given = [one for one in trace.messages if one.kind == "skill" and one.role == "tool"]
        assert len(given) >= 2
        assert "ASK-STRATEGY" in given[-1].content
        assert given[-1] in path
        assert any(one.reasoning == "PRIVATE-THOUGHT" for one in trace.messages)
    assert server.keys[0] == "Bearer unused"


def test_every_call_is_accounted_for(desk: Desk, server: ModelServer) -> None:
    """One audit for each logical call, whose tokens add up; pins, instructions and memory are in each of the agents'."""
    outcome = go(desk, server, thread=prepared(desk), skill=("skills/ask.md",))
    tree = desk.call("tasks.show", trace=outcome.trace_id)
    records = [
        record for task in tree.tasks for record in desk.call("context.audit", trace=task.trace_id, limit=500).calls
    ]
    assert len(records) == outcome.calls == len(server.bodies) - 1
    for record in records:
        assert record.total_tokens == sum(section.tokens for section in record.included) <= WINDOW
        kinds = {section.kind for section in record.included}
        if "tools" in kinds:
            assert {"system", "instructions", "pin", "memory", "frame"} <= kinds
        assert all(section.sha256 for section in record.included if section.kind != "frame")
    pinned = [section for record in records for section in record.included if section.kind == "pin"]
    assert {section.sha256 for section in pinned} == {sha256_hex("Never touch generated files")}


def test_what_was_sent(desk: Desk, server: ModelServer) -> None:
    """A retry is the same bytes; no request carries thoughts, another task's history or a parent's goals."""
    go(desk, server, thread=prepared(desk), skill=("skills/ask.md",))
    (retried,) = [(one, two) for one, two in zip(server.bodies, server.bodies[1:], strict=False) if one == two]
    assert retried[0] == retried[1]
    for request in server.requests:
        assert set(request) <= {"model", "messages", "tools"}
        assert "PRIVATE-THOUGHT" not in json.dumps(request)
        if request["messages"][0]["content"].startswith("You validate"):
            packet = request["messages"][-1]["content"]
            assert "Side branch" not in packet
            assert "ASK-STRATEGY" not in packet
            continue
        name = who(request["messages"])
        text = json.dumps(request["messages"], ensure_ascii=False)
        assert ("SUMMARY of root" in text) <= (name == "root")
        assert ("SUMMARY of middle" in text) <= (name == "middle")
        calls = [call["id"] for m in request["messages"] for call in m.get("tool_calls", ())]
        results = [m["tool_call_id"] for m in request["messages"] if m["role"] == "tool"]
        assert len(calls) == len(set(calls))
        assert sorted(calls) == sorted(results)
    leaf = [one for one in server.requests if who(one["messages"]) == "leaf" and "tools" in one]
    offered = {tool["function"]["name"] for one in leaf for tool in one["tools"]}
    assert "history_search" not in offered
    assert "There is no tool 'bash' here" in json.dumps(leaf[-1]["messages"])
    read = json.dumps(leaf[-1]["messages"])
    assert "MIDDLE works" in read


def test_going_back_into_the_compressed_stretch(desk: Desk, server: ModelServer) -> None:
    """The summary is aside and the original words are sent again, exactly; grants made later are gone."""
    outcome = go(desk, server, thread=prepared(desk), skill=("skills/ask.md",))
    trace = desk.app.contexts().load(outcome.trace_id)
    summary = next(one for one in trace.messages if one.kind == "summary")
    target = max(
        one.sequence
        for one in trace.messages
        if one.sequence < summary.sequence and not one.branch_type and one.role == "tool"
    )
    originals = trace.path(target)
    assert LONG in [one.content for one in originals]
    assert desk.call("tasks.show", trace=outcome.trace_id).tasks[0].references
    asked = len(server.bodies)
    again = go(desk, server, trace=outcome.trace_id, rewind=target, goal="Try once more", window=100_000)
    assert again.answer == "Tried once more."
    sent = server.requests[asked]["messages"]
    told = [message["content"] for message in sent if not message["content"].startswith("Background")]
    assert told[: len(originals)] == [one.content for one in originals]
    assert "SUMMARY of root" not in json.dumps(sent)
    assert desk.call("tasks.show", trace=outcome.trace_id).tasks[0].references == ()
    goals = desk.call("goals.list", owner=outcome.trace_id)
    assert {goal.status for goal in goals.goals} <= {"open", "focused"}
