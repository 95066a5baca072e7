"""`history.*`, `specialist_result.*`, `threads.compact` and the indexed `sessions.search` as the faces call them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from sessions.transcripts.samples import scenarios, unpack
from sessions.world import World
from support.talks import Talk
from support.workspaces import Desk, make_tree, waybook
from waybook.base.actor import Actor
from waybook.base.cancel import Progress
from waybook.base.errors import NotFoundError, RefusedError
from waybook.base.records import to_json
from waybook.commands.model import Call
from waybook.commands.registry import load
from waybook.compaction.extractive import Extractive
from waybook.compaction.summariser import OutcomeUnknownError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "root\n"}))


def talked(desk: Desk, turns: int = 5) -> tuple[str, str, Talk]:
    """A thread with a completed run and what was said in it."""
    thread = desk.call("threads.create", title="Parser").id
    run = desk.call("runs.create", goal="x", thread=thread).id
    world = World.__new__(World)
    world.store = desk.app.store()
    talk = Talk(world, run)
    talk.turns(turns)
    for state in ("running", "completed"):
        desk.call("runs.move", run=run, state=state)
    return thread, run, talk


def test_history_search_and_read_are_open_to_agents(desk: Desk) -> None:
    """An agent finds what its run may recall and reads it with the handle; everything has a JSON form without a grant."""
    _, run, talk = talked(desk)
    talk.say("needle " * 1000)
    found = desk.call("history.search", agent=True, run=run, query="needle")
    (hit,) = found.hits
    page = desk.call("history.read", agent=True, run=run, handle=hit.handle)
    rest = desk.call(
        "history.read",
        agent=True,
        run=run,
        handle=hit.handle,
        offset=page.next_offset,
        content_sha256=page.content_sha256,
    )
    assert page.text + rest.text == "needle " * 1000
    for result in (found, page):
        authority = to_json(result)["authority"]
        assert [name for name, value in authority.items() if value and not name.endswith("_guidance")] == []


def test_specialist_results_are_open_to_agents(desk: Desk) -> None:
    """specialist_result.list gives the handle that specialist_result.read takes."""
    _, run, talk = talked(desk)
    child = Talk(talk.world, run, "child", parent="s1")
    child.call("shell", "word " * 1000)
    listing = load("specialist_result.list")
    (item,) = listing.run(desk.app, listing.params(run=run, agent=child.id), agent_call()).receipts
    command = load("specialist_result.read")
    page = command.run(desk.app, command.params(run=run, agent=child.id, handle=item.handle), agent_call())
    assert page.text.startswith("{}\n\nword")
    with pytest.raises(NotFoundError):
        command.run(desk.app, command.params(run=run, agent="nobody", handle=item.handle), agent_call())


def agent_call() -> Call:
    return Call(Actor("agent", "robot"))


def test_threads_compact_is_for_people_and_tells_its_key_first(desk: Desk) -> None:
    """The key comes before the work; the same key gives the stored result; an agent is refused."""
    thread, _, _ = talked(desk)
    with pytest.raises(RefusedError):
        desk.call("threads.compact", agent=True, thread=thread)
    told: list[Any] = []
    steps: list[str] = []
    command = load("threads.compact")
    call = Call(Actor("operator", "tester"), Progress(lambda what, *_: steps.append(what)), told.append)
    done = command.run(desk.app, command.params(thread=thread, focus="limits"), call)
    assert told[0].operation_key == done.operation_key
    assert done.operation_key in steps[0]
    again = desk.call("threads.compact", thread=thread, focus="limits", operation_key=done.operation_key)
    assert (again.repeated, again.summary) == (True, done.summary)
    assert desk.exit_code("threads.compact", done) == 0


def test_the_command_line_prints_the_key_and_one_json(desk: Desk) -> None:
    """Standard error has the key, standard output one JSON object; a repeat by key is the stored result."""
    thread, run, _ = talked(desk)
    desk.app.close()
    done = waybook("thread", "compact", thread, "--focus", "保留持续限制", "--json", cwd=desk.root, code=0)
    key = done.err.split("operation key: ")[1].split()[0]
    assert done.json["operation_key"] == key
    assert done.json["state"] == "done"
    again = waybook(
        "thread", "compact", thread, "--focus", "保留持续限制", "--operation-key", key, cwd=desk.root, code=0
    )
    assert "stored result" in again.out
    assert "Asked by the user" in again.out
    nothing = waybook("thread", "compact", thread, cwd=desk.root, code=2)
    assert "nothing to compact" in nothing.err
    found = waybook("history", "search", "part 3", "--run", run, cwd=desk.root, code=0)
    handle = found.out.split("handle: ")[1].split()[0]
    read = waybook("history", "read", handle, "--run", run, cwd=desk.root, code=0)
    assert "part 3" in read.out


def test_an_unknown_outcome_is_exit_code_1(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script sees that the operation needs a check."""

    def lost(*_: Any) -> str:
        raise OutcomeUnknownError("no answer came")

    monkeypatch.setattr(Extractive, "summarise", lost)
    thread, _, _ = talked(desk)
    result = desk.call("threads.compact", thread=thread)
    assert result.state == "needs_check"
    assert desk.exit_code("threads.compact", result) == 1


def test_recorded_sessions_are_searched_by_the_index(desk: Desk, tmp_path: Path) -> None:
    """After an import the index answers; queries that are too short for it still work."""
    scenario = next(name for name in scenarios() if name.startswith("claude/"))
    unpack(scenario, tmp_path / "rig")
    home = str(tmp_path / "rig" / "home")
    desk.call("sessions.import", home=home)
    session = desk.call("sessions.list", home=home).sessions[0]
    prompt = next(
        item.text for item in desk.call("sessions.show", session=session.id).messages if item.kind == "prompt"
    )
    words = prompt.split()[0][:12]
    found = desk.call("sessions.search", query=words, home=home)
    assert found.indexed
    assert session.id in {place.session.id for place in found.found}
    assert not desk.call("sessions.search", query=words[:2], home=home).indexed
    assert json.dumps(to_json(found))
