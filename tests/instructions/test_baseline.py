"""The workspace's baseline: pinned, compared with the disk, confirmed as a whole or scope by scope."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import IntegrityError

from store.helpers import AGENT, OPERATOR, keep, open_store, snapshot
from waybook.base.errors import ConflictError, DiscoveryError, NotFoundError, RefusedError
from waybook.instructions.baseline import Baseline, BaselineService, drift, scope_drift, tree_fingerprint
from waybook.sessions.service import RunService

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from waybook.instructions.model import Discovery, Snapshot
    from waybook.store.store import Store

ROOT = snapshot({"AGENTS.md": "root\n"})
ROOT2 = snapshot({"AGENTS.md": "root, changed\n"})
INNER = snapshot({"AGENTS.md": "root\n", "a/AGENTS.md": "inner\n"}, "a", "a")
INNER2 = snapshot({"a/AGENTS.md": "inner\n", "AGENTS.md": "root\n"}, "a", "a")
OTHER = snapshot({"AGENTS.md": "root\n", "b/CLAUDE.md": "other\n"}, "b", "b")
REFUSAL = DiscoveryError("a/AGENTS.md is a link.", code="symlink", path="a/AGENTS.md")
TREE: Mapping[str, Snapshot] = {"": ROOT, "a": INNER}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(str(tmp_path / "x.db"))
    yield opened
    opened.close()


@pytest.fixture
def baselines(store: Store) -> BaselineService:
    return BaselineService(store, mask=keep)


@pytest.fixture
def workspace(store: Store) -> str:
    return RunService(store, mask=keep).register("/demo").id


@pytest.fixture
def pinned(baselines: BaselineService, workspace: str) -> Baseline:
    return baselines.pin(workspace, TREE, OPERATOR)


def marks(snapshots: Mapping[str, Snapshot]) -> dict[str, str]:
    return {scope: item.fingerprint for scope, item in snapshots.items()}


def count(store: Store) -> int:
    with store.read() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM workspace_baselines").scalar_one())


def test_the_tree_fingerprint_is_over_sorted_lines() -> None:
    """SHA-256 over "scope fingerprint" lines, sorted, each with its newline."""
    expected = hashlib.sha256(b" 1\na 2\nb 3\n").hexdigest()
    assert tree_fingerprint({"b": "3", "": "1", "a": "2"}) == expected
    assert tree_fingerprint({}) == hashlib.sha256(b"").hexdigest()


def test_pin_and_newest(baselines: BaselineService, workspace: str, pinned: Baseline) -> None:
    """Revision 1 holds every scope's snapshot as it was given."""
    assert baselines.newest(workspace) == pinned
    assert (pinned.revision, pinned.created_by, pinned.snapshots) == (1, "ada", TREE)
    assert pinned.tree_fingerprint == tree_fingerprint(marks(TREE))


def test_pin_again(baselines: BaselineService, store: Store, workspace: str, pinned: Baseline) -> None:
    """Nothing new adds no revision; something new adds one and keeps the old."""
    assert baselines.pin(workspace, dict(reversed(TREE.items())), OPERATOR) == pinned
    assert count(store) == 1
    second = baselines.pin(workspace, {"": ROOT2}, OPERATOR)
    assert (second.revision, dict(second.snapshots)) == (2, {"": ROOT2})
    assert baselines.newest(workspace) == second
    assert count(store) == 2


def test_an_empty_workspace_can_be_pinned(baselines: BaselineService, workspace: str) -> None:
    """Then any instruction file that appears is drift."""
    empty = baselines.pin(workspace, {}, OPERATOR)
    assert drift(empty, {}).stale is False
    assert drift(empty, {"": ROOT}).added_scopes == ("",)


def test_a_refused_scope_refuses_the_pin(baselines: BaselineService, store: Store, workspace: str) -> None:
    """There is no partial baseline."""
    with pytest.raises(DiscoveryError):
        baselines.pin(workspace, {"": ROOT, "a": REFUSAL}, OPERATOR)
    assert count(store) == 0
    assert baselines.newest(workspace) is None


def test_only_an_operator(baselines: BaselineService, store: Store, workspace: str, pinned: Baseline) -> None:
    """An agent may look at drift, never pin or confirm."""
    mark = pinned.tree_fingerprint
    for call in (
        lambda: baselines.pin(workspace, {"": ROOT2}, AGENT),
        lambda: baselines.confirm(workspace, mark, mark, lambda _root: {"": ROOT2}, AGENT),
        lambda: baselines.confirm_scope(workspace, "", mark, mark, lambda _root, _scope: ROOT2, AGENT),
    ):
        with pytest.raises(RefusedError):
            call()
    assert count(store) == 1


def test_unknown_workspace_and_no_baseline(baselines: BaselineService, workspace: str) -> None:
    """Each is told with the next step."""
    with pytest.raises(NotFoundError, match="ws_x"):
        baselines.pin("ws_x", TREE, OPERATOR)
    with pytest.raises(NotFoundError) as caught:
        baselines.confirm_scope(workspace, "", "", ROOT.fingerprint, lambda _root, _scope: ROOT, OPERATOR)
    assert "waybook pin" in str(caught.value.hint)


def test_no_drift(pinned: Baseline) -> None:
    """The same snapshots, discovered at another time, are no drift."""
    found = drift(pinned, dict(TREE))
    assert (found.stale, found.scopes, found.live_tree_fingerprint) == (False, (), pinned.tree_fingerprint)


def test_every_kind_of_drift(baselines: BaselineService, workspace: str) -> None:
    """Changed, reordered, added, removed and refused scopes are each told; nothing is dropped."""
    baseline = baselines.pin(workspace, {"": ROOT, "a": INNER, "b": OTHER, "c": OTHER}, OPERATOR)
    live: dict[str, Discovery] = {"": ROOT2, "a": INNER2, "c": REFUSAL, "d": OTHER}
    found = drift(baseline, live)
    states = {item.scope: item for item in found.scopes}
    assert {scope: item.state for scope, item in states.items()} == {
        "": "changed",
        "a": "changed",
        "b": "removed",
        "c": "refused",
        "d": "added",
    }
    root, reordered = states[""].diff, states["a"].diff
    assert root is not None
    assert root.changed == ("AGENTS.md",)
    assert reordered is not None
    assert (reordered.order_changed, reordered.added, reordered.changed) == (True, (), ())
    assert states["c"].error == REFUSAL.to_json()
    assert (states["c"].fingerprint, states["c"].live_fingerprint) == (OTHER.fingerprint, "")
    assert (found.added_scopes, found.removed_scopes, found.stale) == (("d",), ("b",), True)
    assert found.live_tree_fingerprint == "", "a tree with a refused scope has no fingerprint"


def test_a_refused_scope_that_was_never_pinned_is_drift(pinned: Baseline) -> None:
    """It is listed as refused and as an added scope."""
    found = drift(pinned, {**TREE, "z": REFUSAL})
    assert [(item.scope, item.state) for item in found.scopes] == [("z", "refused")]
    assert found.added_scopes == ("z",)
    assert scope_drift("z", None, None) is None


def test_confirm_the_tree(baselines: BaselineService, workspace: str, pinned: Baseline) -> None:
    """Bound to both tree fingerprints; scanned afresh; a replay is refused."""
    live = {"": ROOT2, "b": OTHER}
    reviewed = drift(pinned, live).live_tree_fingerprint
    roots: list[str] = []

    def discover(root: str) -> Mapping[str, Discovery]:
        roots.append(root)
        return live

    done = baselines.confirm(workspace, pinned.tree_fingerprint, reviewed, discover, OPERATOR)
    assert (done.revision, dict(done.snapshots), done.tree_fingerprint, roots) == (2, live, reviewed, ["/demo"])
    assert baselines.newest(workspace) == done
    with pytest.raises(ConflictError) as caught:
        baselines.confirm(workspace, pinned.tree_fingerprint, reviewed, discover, OPERATOR)
    assert caught.value.code == "pin-changed"


def test_conflicts_of_the_tree(baselines: BaselineService, store: Store, workspace: str, pinned: Baseline) -> None:
    """A change after the review names the scopes; nothing to confirm is said; a refusal is raised. Nothing is written."""
    mark = pinned.tree_fingerprint
    with pytest.raises(ConflictError) as caught:
        baselines.confirm(workspace, mark, "f" * 64, lambda _root: {"": ROOT2, "a": INNER}, OPERATOR)
    assert (caught.value.code, caught.value.details["changed_scopes"]) == ("live-changed", [""])
    with pytest.raises(ConflictError) as caught:
        baselines.confirm(workspace, mark, mark, lambda _root: TREE, OPERATOR)
    assert caught.value.code == "nothing-to-confirm"
    with pytest.raises(DiscoveryError):
        baselines.confirm(workspace, mark, mark, lambda _root: {"": REFUSAL}, OPERATOR)
    assert count(store) == 1


def test_confirm_without_a_baseline(baselines: BaselineService, workspace: str) -> None:
    """The empty expected fingerprint makes revision 1."""
    mark = tree_fingerprint(marks(TREE))
    done = baselines.confirm(workspace, "", mark, lambda _root: TREE, OPERATOR)
    assert (done.revision, done.snapshots) == (1, TREE)


def test_confirm_one_scope(baselines: BaselineService, workspace: str, pinned: Baseline) -> None:
    """Only that scope moves; the others stay as pinned, drifted or not."""
    asked: list[tuple[str, str]] = []

    def discover(root: str, scope: str) -> Discovery:
        asked.append((root, scope))
        return ROOT2

    done = baselines.confirm_scope(workspace, "", ROOT.fingerprint, ROOT2.fingerprint, discover, OPERATOR)
    assert (done.revision, dict(done.snapshots), asked) == (2, {"": ROOT2, "a": INNER}, [("/demo", "")])
    with pytest.raises(ConflictError) as caught:
        baselines.confirm_scope(workspace, "", ROOT.fingerprint, ROOT2.fingerprint, discover, OPERATOR)
    assert caught.value.code == "pin-changed"


def test_confirm_an_added_and_a_removed_scope(baselines: BaselineService, workspace: str, pinned: Baseline) -> None:
    """The empty fingerprint stands for "not there", on either side."""
    added = baselines.confirm_scope(workspace, "b", "", OTHER.fingerprint, lambda _root, _scope: OTHER, OPERATOR)
    assert set(added.snapshots) == {"", "a", "b"}
    removed = baselines.confirm_scope(workspace, "a", INNER.fingerprint, "", lambda _root, _scope: None, OPERATOR)
    assert set(removed.snapshots) == {"", "b"}
    with pytest.raises(ConflictError) as caught:
        baselines.confirm_scope(workspace, "z", "", "", lambda _root, _scope: None, OPERATOR)
    assert caught.value.code == "nothing-to-confirm"
    with pytest.raises(ConflictError) as caught:
        baselines.confirm_scope(
            workspace, "b", OTHER.fingerprint, INNER.fingerprint, lambda _root, _scope: None, OPERATOR
        )
    assert caught.value.code == "live-changed"
    assert baselines.newest(workspace) == removed


@pytest.mark.parametrize("name", ["a\nb", "\udcff", "a\u202eb"])
def test_a_scope_that_cannot_be_shown_cannot_be_pinned(
    baselines: BaselineService, store: Store, workspace: str, name: str
) -> None:
    """A name that forges a line, is not UTF-8 or turns the reading direction is refused with a remedy."""
    with pytest.raises(RefusedError) as caught:
        baselines.pin(workspace, {name: ROOT}, OPERATOR)
    assert caught.value.code == "bad-name"
    str(caught.value.to_json()).encode()
    assert count(store) == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE workspace_baselines SET created_by = 'eve'",
        "DELETE FROM workspace_baselines",
        "INSERT OR REPLACE INTO workspace_baselines SELECT * FROM workspace_baselines",
        "INSERT INTO workspace_baselines SELECT 'x', workspace_id, 3, 'f', 0, 'eve', 'now' FROM workspace_baselines",
        (
            "INSERT OR REPLACE INTO workspace_baselines "
            "SELECT id, workspace_id, 2, 'f', 0, 'eve', 'now' FROM workspace_baselines"
        ),
        "UPDATE baseline_snapshots SET snapshot = '{}'",
        "DELETE FROM baseline_snapshots",
        "INSERT OR REPLACE INTO baseline_snapshots SELECT * FROM baseline_snapshots",
        "INSERT INTO baseline_snapshots SELECT baseline_id, 'new', 'f', '{}' FROM baseline_snapshots LIMIT 1",
    ],
)
def test_the_database_itself_refuses(store: Store, pinned: Baseline, statement: str) -> None:
    """A baseline and its scopes are written once; none can be changed, taken away, replaced or added later."""
    with pytest.raises(IntegrityError), store.write() as connection:
        connection.exec_driver_sql(statement)
    assert BaselineService(store, mask=keep).newest(pinned.workspace_id) == pinned
