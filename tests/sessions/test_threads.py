"""Threads open, take runs as successors, and close for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessions.world import AGENT, OPERATOR
from support.fakes import expand
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError

if TYPE_CHECKING:
    from sessions.world import World


def test_a_thread_opens_lists_and_closes(world: World) -> None:
    """Version 1 open, version 2 closed; the list shows open ones unless asked, newest first."""
    first = world.threads.create(world.workspace, "  Parser \n rewrite ", OPERATOR)
    second = world.threads.create(world.workspace, "Other", OPERATOR)
    assert (first.title, first.state, first.version, first.created_by) == ("Parser rewrite", "open", 1, "ada")
    assert world.threads.list() == (second, first)
    closed = world.threads.close(first.id, 1, OPERATOR)
    assert (closed.state, closed.version) == ("closed", 2)
    assert world.threads.list(world.workspace.id) == (second,)
    assert [item.id for item in world.threads.list(closed=True)] == [second.id, first.id]
    assert world.threads.list("ws_other") == ()
    assert world.threads.show(first.id) == (closed, ())


def test_closing_needs_the_version_that_was_seen(world: World) -> None:
    """A mismatch is a conflict that shows the current version; a closed thread cannot be closed again."""
    thread = world.thread()
    with pytest.raises(ConflictError) as caught:
        world.threads.close(thread, 7, OPERATOR)
    assert (caught.value.code, caught.value.details["current_version"]) == ("version-conflict", 1)
    world.threads.close(thread, 1, OPERATOR)
    with pytest.raises(ConflictError) as caught:
        world.threads.close(thread, 2, OPERATOR)
    assert caught.value.code == "thread-closed"
    with pytest.raises(NotFoundError):
        world.threads.close("thr_x", 1, OPERATOR)


@pytest.mark.parametrize("title", ["", " \n", "é" * 129, "a\0b", "a\udcff"])
def test_titles_that_cannot_be_kept(world: World, title: str) -> None:
    """1 to 256 bytes of text in one line."""
    with pytest.raises(UsageError):
        world.threads.create(world.workspace, title, OPERATOR)
    assert world.scalar("SELECT count(*) FROM threads") == 0
    assert world.threads.create(world.workspace, "é" * 128, OPERATOR).title == "é" * 128


def test_no_secret_in_a_title_and_no_agent_opens_or_closes(world: World) -> None:
    """The secret is not repeated in the message."""
    token = expand("${FAKE_GITHUB}")
    with pytest.raises(RefusedError) as caught:
        world.threads.create(world.workspace, f"use {token}", OPERATOR)
    assert token not in str(caught.value.to_json())
    with pytest.raises(RefusedError):
        world.threads.create(world.workspace, "title", AGENT)
    thread = world.thread()
    with pytest.raises(RefusedError):
        world.threads.close(thread, 1, AGENT)


def test_runs_of_a_thread_are_a_chain(world: World) -> None:
    """Each run is the successor of the one before; a run outside any thread stays outside."""
    thread = world.thread()
    made = [world.run(thread).id for _ in range(3)]
    world.run()
    shown, chain = world.threads.show(thread)
    assert shown.runs == 3
    assert [(item.sequence, item.run_id) for item in chain] == list(enumerate(made, 1))


def test_a_run_joins_only_an_open_thread_of_its_workspace(world: World) -> None:
    """Otherwise neither run nor mission exists."""
    thread = world.thread()
    with pytest.raises(RefusedError) as caught:
        world.run(thread, "/b/other")
    assert caught.value.code == "wrong-workspace"
    with pytest.raises(NotFoundError):
        world.run("thr_x")
    world.threads.close(thread, 1, OPERATOR)
    with pytest.raises(ConflictError):
        world.run(thread)
    assert world.scalar("SELECT count(*) FROM runs") == 0
    assert world.scalar("SELECT count(*) FROM missions") == 0


def test_a_chain_has_at_most_1024_runs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as recall validates; the limit is said."""
    monkeypatch.setattr("waybook.sessions.threads.service.MAX_CHAIN", 2)
    thread = world.thread()
    world.run(thread)
    world.run(thread)
    with pytest.raises(RefusedError) as caught:
        world.run(thread)
    assert (caught.value.code, caught.value.limit) == ("chain-full", 2)


@pytest.mark.parametrize("limit", [0, 501])
def test_list_limits(world: World, limit: int) -> None:
    """1 to 500."""
    with pytest.raises(UsageError):
        world.threads.list(limit=limit)
