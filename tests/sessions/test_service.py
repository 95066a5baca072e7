"""Workspaces are registered on first use; runs are created pinned."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from store.helpers import AGENT, DRIVERS, OPERATOR, keep, open_store, snapshot, use_driver
from waybook.base.errors import NotFoundError, RefusedError, UsageError
from waybook.sessions.model import RunState
from waybook.sessions.service import RunService
from waybook.store.tables import RUN_STATES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waybook.store.store import Store

ROOT = snapshot({"AGENTS.md": "root\n"})
PARSER = snapshot({"AGENTS.md": "root\n"}, "internal/parser/input.go")


@pytest.fixture(params=DRIVERS)
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    use_driver(request.param, monkeypatch)
    opened = open_store(str(tmp_path / "x.db"))
    yield opened
    opened.close()


@pytest.fixture
def runs(store: Store) -> RunService:
    return RunService(store, mask=keep)


def count(store: Store, table: str) -> int:
    with store.read() as connection:
        return int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


def test_the_states_are_the_databases() -> None:
    """model.py and the CHECK name the same states."""
    assert tuple(state.value for state in RunState) == RUN_STATES


def test_names_are_made_unique(runs: RunService) -> None:
    """The directory's name, then the same with a number; the same root is the same workspace."""
    first = runs.register("/a/app")
    assert [runs.register(root).name for root in ("/b/app", "/c/app", "/d/app-2", "/a/app")] == [
        "app-2",
        "app-3",
        "app-2-2",
        "app",
    ]
    assert runs.register("/a/app") == first
    assert runs.register("/").name == "root"
    assert [item.name for item in runs.workspaces()] == ["app", "app-2", "app-2-2", "app-3", "root"]


def test_lookup_by_id_name_and_path(runs: RunService) -> None:
    """All three name the same workspace; anything else is not found, with a hint."""
    made = runs.register("/a/app")
    assert {runs.workspace(reference) for reference in (made.id, "app", "/a/app")} == {made}
    for reference in ("", "App", "/a", "a/app", "x\0", "\udcff", made.id.upper()):
        with pytest.raises(NotFoundError) as caught:
            runs.workspace(reference)
        assert caught.value.code == "no-workspace"


@pytest.mark.parametrize("root", ["", "relative", "./x", "/a\0b", "/a\udcff"])
def test_roots_that_cannot_be_kept(runs: RunService, store: Store, root: str) -> None:
    """Only an absolute UTF-8 path can be registered."""
    with pytest.raises(UsageError):
        runs.register(root)
    with pytest.raises((UsageError, NotFoundError)):
        runs.create_run(root, "goal", "code", ".", ROOT, OPERATOR)
    assert count(store, "workspaces") == 0


def test_create_show_list(runs: RunService) -> None:
    """A run is created in state `created`, pinned to revision 1 of its snapshot; newest first in the list."""
    first = runs.create_run("/a/app", "review the parser", "review", "internal/parser/input.go", PARSER, OPERATOR)
    second = runs.create_run("app", "  another  ", "code", "", ROOT, OPERATOR)
    third = runs.create_run("/b/other", "elsewhere", "code", ".", ROOT, OPERATOR)
    assert (first.state, first.revision, first.fingerprint) == (RunState.CREATED, 1, PARSER.fingerprint)
    assert (first.workspace, first.target, first.created_by) == ("app", "internal/parser/input.go", "ada")
    assert (second.goal, second.target, second.workspace_id) == ("another", ".", first.workspace_id)
    assert runs.show_run(first.id) == first
    assert [asdict(run) for run in runs.list_runs()] == [asdict(run) for run in (third, second, first)]
    assert runs.list_runs("app") == (second, first)
    assert runs.list_runs("/a/app", limit=1) == (second,)


def test_unknown_things(runs: RunService) -> None:
    """Each is not found or refused by name."""
    with pytest.raises(NotFoundError):
        runs.show_run("run_x")
    with pytest.raises(NotFoundError):
        runs.list_runs("nowhere")
    with pytest.raises(NotFoundError):
        runs.create_run("nowhere", "goal", "code", ".", ROOT, OPERATOR)
    for limit in (0, 501):
        with pytest.raises(UsageError):
            runs.list_runs(limit=limit)


@pytest.mark.parametrize(
    ("goal", "profile", "target", "code"),
    [
        ("", "code", ".", "bad-goal"),
        (" \n", "code", ".", "bad-goal"),
        ("é" * 8193, "code", ".", "bad-goal"),
        ("g\0", "code", ".", "bad-text"),
        ("g\udcff", "code", ".", "bad-text"),
        ("goal", "", ".", "bad-profile"),
        ("goal", "p" * 65, ".", "bad-profile"),
        ("goal", "code", "src", "wrong-snapshot"),
    ],
)
def test_bad_input_writes_nothing(
    runs: RunService, store: Store, goal: str, profile: str, target: str, code: str
) -> None:
    """Not even the workspace is registered."""
    with pytest.raises(UsageError) as caught:
        runs.create_run("/a/app", goal, profile, target, ROOT, OPERATOR)
    assert caught.value.code == code
    assert count(store, "workspaces") == 0
    assert runs.create_run("/a/app", "é" * 8192, "p" * 64, ".", ROOT, OPERATOR).goal == "é" * 8192


def test_only_an_operator_creates(runs: RunService, store: Store) -> None:
    """Creating pins instructions."""
    with pytest.raises(RefusedError):
        runs.create_run("/a/app", "goal", "code", ".", ROOT, AGENT)
    assert count(store, "runs") == 0


def test_the_whole_run_or_nothing(runs: RunService, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the pin cannot be written, neither mission nor run is."""

    def fail(*_arguments: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("waybook.sessions.service.append", fail)
    with pytest.raises(ZeroDivisionError):
        runs.create_run("/a/app", "goal", "code", ".", ROOT, OPERATOR)
    assert [count(store, table) for table in ("workspaces", "missions", "runs")] == [0, 0, 0]
