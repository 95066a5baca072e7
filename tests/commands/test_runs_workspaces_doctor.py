"""`runs.*`, `workspaces.list`, `doctor` and the registry itself."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

import pytest

from support.workspaces import CountingIds, Desk, make_tree
from waybook.base.errors import DiscoveryError, NotFoundError, UsageError
from waybook.base.records import to_json
from waybook.commands.registry import COMMANDS, load

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A checkout with two levels."""
    return Desk(make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "root\n", "a/AGENTS.md": "a\n"}))


def test_create_list_and_show(desk: Desk) -> None:
    """A run knows its goal, target and pin; lists are newest first and can be limited."""
    first = desk.call("runs.create", goal="one", target="a/new.py", profile="review")
    second = desk.call("runs.create", goal="two")
    assert (first.target, first.profile, first.revision, first.created_by) == ("a/new.py", "review", 1, "tester")
    assert (second.target, second.profile) == (".", "default")
    assert [run.id for run in desk.call("runs.list").runs] == [second.id, first.id]
    assert [run.id for run in desk.call("runs.list", limit=1).runs] == [second.id]
    assert desk.call("runs.show", run=first.id) == first
    assert desk.call("runs.list", workspace=str(desk.root)).runs == desk.call("runs.list").runs


def test_a_later_change_of_the_disk_never_changes_a_run(desk: Desk) -> None:
    """Its pin is what was there when it was created."""
    run = desk.call("runs.create", goal="x")
    (desk.root / "AGENTS.md").write_text("later\n")
    assert desk.call("runs.show", run=run.id) == run
    assert desk.call("instructions.inspect", run=run.id).pinned.sources[0].content == "root\n"


def test_a_refused_target_makes_no_run(desk: Desk) -> None:
    """Nothing is registered either."""
    (desk.root / "a/AGENTS.md").write_text("")
    with pytest.raises(DiscoveryError):
        desk.call("runs.create", goal="x", target="a")
    assert desk.call("runs.list").runs == ()
    assert desk.call("workspaces.list").workspaces == ()


@pytest.mark.parametrize("goal", ["", "  \n", "x" * 20_000, "a\0b"])
def test_a_goal_has_text_of_a_sensible_size(desk: Desk, goal: str) -> None:
    """Refused before anything is written."""
    with pytest.raises(UsageError):
        desk.call("runs.create", goal=goal)
    assert desk.call("runs.list").runs == ()


def test_errors_of_lists(desk: Desk) -> None:
    """Unknown runs and workspaces, limits out of range."""
    with pytest.raises(NotFoundError):
        desk.call("runs.show", run="run_nope")
    with pytest.raises(NotFoundError):
        desk.call("runs.list", workspace=str(desk.root))
    for limit in (0, -1, 501):
        with pytest.raises(UsageError):
            desk.call("runs.list", limit=limit)


def test_workspaces_of_one_name_get_different_ones(tmp_path: Path) -> None:
    """Two checkouts called `shop`."""
    ids = CountingIds()
    for place in ("x", "y"):
        root = make_tree(tmp_path / place / "shop", {".git": None, "AGENTS.md": "g\n"})
        Desk(root, options={"store": f"sqlite:///{tmp_path / 'both.db'}"}, ids=ids).call("instructions.pin")
    listed = Desk(root, options={"store": f"sqlite:///{tmp_path / 'both.db'}"}).call("workspaces.list").workspaces
    assert [item.name for item in listed] == ["shop", "shop-2"]


def test_doctor_tells_facts_and_problems(desk: Desk) -> None:
    """Every setting with its origin, the database as it is, one sentence for each problem."""
    report = desk.call("doctor", agent=True)
    assert report.workspace == str(desk.root)
    assert report.store["schema_version"] >= 1
    assert report.problems == ()
    assert report.settings["drift.against"] == {"value": "baseline", "from": "default"}
    (desk.root / "AGENTS.md").write_text("")
    (desk.root / "waybook.toml").write_text('store = "sqlite:///elsewhere.db"\n')
    broken = Desk(desk.root).call("doctor")
    assert any("AGENTS.md is empty" in problem for problem in broken.problems)
    assert any("cannot be set by a workspace" in problem for problem in broken.problems)
    assert desk.exit_code("doctor", broken) == 1


def test_doctor_survives_a_database_it_cannot_open(tmp_path: Path) -> None:
    """The failing part becomes a problem; the rest is still told."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data/x.db").write_bytes(b"this is no database at all" * 100)
    root = make_tree(tmp_path / "w", {".git": None, "AGENTS.md": "g\n"})
    report = Desk(root, options={"store": f"sqlite:///{tmp_path / 'data/x.db'}"}).call("doctor")
    assert "error" in report.store
    assert report.problems


def test_doctor_without_a_workspace_that_can_be_one(tmp_path: Path) -> None:
    """A workspace that is not there is a problem, not the end."""
    report = Desk(make_tree(tmp_path / "w", {})).call("doctor", workspace=str(tmp_path / "nowhere"))
    assert (report.workspace, bool(report.problems)) == ("", True)


def test_the_registry_refuses_unknown_ids() -> None:
    """And never imports by a name from outside."""
    for name in ("nope", "model", "..app", "instructions.explain.x"):
        with pytest.raises(NotFoundError):
            load(name)


@pytest.mark.parametrize("command_id", COMMANDS)
def test_every_command_is_described(command_id: str) -> None:
    """A title, and a manual text for each parameter; what changes what was reviewed is for operators."""
    command = load(command_id)
    assert command.title
    assert is_dataclass(command.params)
    assert all(item.metadata["doc"] for item in fields(command.params))
    reviewed = command_id.startswith("instructions.") or command_id == "runs.create"
    assert command.actor == "operator" or not (reviewed and command.writes)


def test_results_are_json(desk: Desk) -> None:
    """Every result has a JSON form, as each face prints or sends it."""
    desk.call("instructions.pin")
    run = desk.call("runs.create", goal="x")
    for command_id, params in (
        ("instructions.explain", {}),
        ("instructions.check", {}),
        ("instructions.pin", {}),
        ("instructions.drift", {}),
        ("instructions.inspect", {"run": run.id}),
        ("runs.list", {}),
        ("runs.show", {"run": run.id}),
        ("workspaces.list", {}),
        ("doctor", {}),
    ):
        assert to_json(desk.call(command_id, **params))
