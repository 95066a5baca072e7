"""What ends a run, and what does not: budget, time, cancel, refusals, failing tools, keys."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from support.model_server import says, serving
from support.workspaces import Desk, make_tree
from waybook.base.cancel import Progress
from waybook.base.errors import CancelledError, NotFoundError, RefusedError, UnavailableError, UsageError
from waybook.commands.registry import load
from waybook.tasks.runner.client import OpenAiAsker
from waybook.tasks.runner.words import verdict_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "Use tabs.\n", "big.md": "x" * 70_000}))


def go(desk: Desk, url: str, **fields: Any) -> Any:
    given = {"endpoint": url, "model": "m", "goal": "Plan", "no_validation": True, **fields}
    return desk.call("context.run", **given)


def test_the_budget_of_calls_is_kept_and_the_work_too(desk: Desk) -> None:
    """No call more; what was done can be gone on with."""
    with serving(lambda _request: says("", ("get_current_context", {}))) as server:
        with pytest.raises(RefusedError) as caught:
            go(desk, server.url, max_calls=3)
        assert caught.value.code == "budget-exhausted"
        assert len(server.bodies) == 3
    (run,) = desk.call("runs.list").runs
    assert run.state == "paused"
    trace = desk.app.contexts().newest_trace(run_id=run.id)
    assert trace is not None
    with serving(lambda _request: says("Done")) as server:
        assert go(desk, server.url, trace=trace.id, goal="Finish").answer == "Done"
        assert len(server.requests[0]["messages"]) > 6
    assert desk.call("runs.show", run=run.id).state == "completed"


def test_tools_that_fail_become_results(desk: Desk) -> None:
    """Unknown tools, bad arguments, unknown goals, skills, references and children: told to the model, never raised."""
    calls: list[tuple[str, Any]] = [
        ("bash", {}), ("goal", {}), ("goal", {"focus": "9"}), ("goal", []), ("skill", {"name": "x"}),
        ("read_context_ref", {}), ("history_read", {"handle": "x"}), ("history_search", {"query": "x" * 999}),
        ("agent", {}), ("agent", {"brief": {"objective": "x"}}), ("agent", {"task": "trc_x", "brief": {}}),
        ("agent", {"task": "trc_x", "decision": "accept"}), ("context_pin_propose", {"text": "x"}),
    ]  # fmt: skip
    answers = iter([says("", *calls), says("Done")])
    with serving(lambda _request: next(answers)) as server:
        assert go(desk, server.url).answer == "Done"
        results = [m["content"] for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert len(results) == len(calls)
    assert all('"error"' in result for result in results)


def test_the_root_can_recall_and_propose(desk: Desk) -> None:
    """history_search and context_pin_propose reach the rooms they belong to; a proposal pins nothing."""
    thread = desk.call("threads.create", title="Parser").id
    desk.call("memory.create", scope="user", title="Tabs", content="Use tabs in Go")
    answers = iter([
        says("", ("history_search", {"query": "tabs"}), ("context_pin_propose", {"text": "Answer in German"})),
        says("Done"),
    ])  # fmt: skip
    with serving(lambda _request: next(answers)) as server:
        go(desk, server.url, thread=thread)
        text = str(server.requests[1]["messages"])
    assert "handle" in text
    assert [one.text for one in desk.call("pins.proposals", thread=thread).proposals] == ["Answer in German"]
    assert desk.call("pins.list", thread=thread).pins == ()


def test_a_cancel_is_heard_while_a_model_is_asked(desk: Desk) -> None:
    """At once, not when the answer comes."""
    released = threading.Event()

    def slow(_request: Any) -> Any:
        released.wait(20)
        return says("late")

    with serving(slow) as server:
        progress = Progress()
        threading.Timer(0.4, progress.cancel).start()
        began = time.monotonic()
        with pytest.raises(CancelledError):
            desk.call("context.run", progress=progress, endpoint=server.url, model="m", goal="x", no_validation=True)
        assert time.monotonic() - began < 10
        released.set()


def test_the_time_of_a_run_is_bounded(desk: Desk) -> None:
    """A model that does not answer ends the run."""
    released = threading.Event()

    def slow(_request: Any) -> Any:
        released.wait(20)
        return says("late")

    with serving(slow) as server:
        with pytest.raises(UnavailableError) as caught:
            go(desk, server.url, timeout=1)
        assert caught.value.code == "timeout"
        released.set()


def test_refusals_of_the_endpoint(desk: Desk) -> None:
    """Its status is told; nothing of its words."""
    with serving(lambda _request: 401) as server, pytest.raises(UnavailableError) as caught:
        go(desk, server.url)
    assert caught.value.details["status"] == 401
    assert "scripted" not in caught.value.message


@pytest.mark.parametrize(
    "endpoint", ["http://models.example.org/v1", "ftp://127.0.0.1/v1", "https://user:word@models.example.org/v1"]
)
def test_endpoints_that_are_refused(endpoint: str) -> None:
    """Conversations go over https, or stay on this machine; a key is no part of an address."""
    with pytest.raises(RefusedError):
        OpenAiAsker(endpoint, {})


def test_keys_come_from_the_environment_and_go_where_they_belong() -> None:
    """The official key is not shown to another server; the official endpoint needs one."""
    with pytest.raises(UnavailableError):
        OpenAiAsker("", {})
    assert OpenAiAsker("", {"OPENAI_API_KEY": "one"})._key == "one"
    assert OpenAiAsker("https://models.example.org/v1", {"OPENAI_API_KEY": "one"})._key == ""
    assert OpenAiAsker("https://models.example.org/v1", {"WAYBOOK_RUN_API_KEY": "two"})._key == "two"


def test_only_a_person_starts_a_run(desk: Desk) -> None:
    """An agent cannot start another."""
    with pytest.raises(RefusedError):
        desk.call("context.run", agent=True, model="m", goal="x", endpoint="http://127.0.0.1:1/v1")
    assert load("context.run").actor == "operator"


def test_skills_are_files_of_the_workspace(desk: Desk) -> None:
    """Nothing outside, nothing missing, nothing too long."""
    for path, error in (("../x.md", UsageError), ("/etc/hostname", UsageError), ("no.md", NotFoundError),
                        ("big.md", UsageError)):  # fmt: skip
        with pytest.raises(error):
            go(desk, "http://127.0.0.1:1/v1", skill=(path,))
    with pytest.raises(UsageError):
        go(desk, "http://127.0.0.1:1/v1", rewind=3)


def test_a_verdict_that_is_none_is_unknown() -> None:
    """Only a clear answer counts."""
    assert verdict_of('Sure: {"verdict":"passed","reason":"ok"}').verdict == "passed"
    for text in ("", "passed", "{}", '{"verdict":"great"}', '{"verdict":', "[1]", '{"verdict":["passed"]}'):
        assert verdict_of(text).verdict == "unknown"


def test_a_packet_that_would_have_to_be_cut_is_not_judged(desk: Desk) -> None:
    """Unknown, and nobody was asked."""
    with serving(lambda _request: says("word " * 12_000)) as server:
        outcome = go(desk, server.url, no_validation=False)
        assert len(server.bodies) == 1
    assert outcome.validation.verdict == "unknown"
    assert "50,000" in outcome.validation.reason
