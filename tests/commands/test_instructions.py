"""`instructions.*` through the program's own wiring, with a clock and ids that stand still."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.workspaces import DEMO, Desk, make_tree
from waybook.base.cancel import Progress
from waybook.base.errors import (
    CancelledError,
    ConflictError,
    DiscoveryError,
    NotFoundError,
    RefusedError,
    UsageError,
)
from waybook.base.records import to_json

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A checkout with two levels."""
    files = {".git": None, "AGENTS.md": "root\n", "a/AGENTS.md": "a\n", "a/x.py": ""}
    return Desk(make_tree(tmp_path / "shop", files))


# --- explain ----------------------------------------------------------------------------------------------------------


def test_explain_the_demo_workspace(tmp_path: Path) -> None:
    """Override, rules, ignore file, nested `.claude`: the chain in reading order and what was left out, with reasons."""
    found = to_json(Desk(DEMO).call("instructions.explain", target="services/api/src/routes/orders.py"))
    assert found["workspace_found_by"] in {".prayu", ".git"}
    assert [source["path"] for source in found["sources"]] == [
        "AGENTS.md",
        "CLAUDE.md",
        ".prayu/instructions.md",
        ".prayu/rules/10-python.md",
        ".prayu/rules/20-sql.md",
        "services/api/AGENTS.override.md",
        "services/api/.claude/CLAUDE.md",
    ]
    assert {item["path"]: item["reason"] for item in found["ignored"]} == {
        ".prayu/instructions.ignore": "discovery control file; never delivered as instruction content",
        ".prayu/rules/drafts/30-events.md": "matched .prayu/instructions.ignore",
        ".prayu/rules/legacy-style.md": "matched .prayu/instructions.ignore",
        "services/api/AGENTS.md": "overridden by services/api/AGENTS.override.md",
    }
    assert found["bytes"] == sum(source["bytes"] for source in found["sources"])


def test_explain_reads_afresh_and_keeps_unsaved_text_out(desk: Desk) -> None:
    """What an agent would read now."""
    desk.app.analysis(str(desk.root)).overlay.put("AGENTS.md", "unsaved\n", 1)
    before = desk.call("instructions.explain", target="a/x.py").snapshot
    (desk.root / "AGENTS.md").write_text("rewritten\n")
    after = desk.call("instructions.explain", target="a/x.py").snapshot
    assert [before.sources[0].content, after.sources[0].content] == ["root\n", "rewritten\n"]


# --- check ------------------------------------------------------------------------------------------------------------


def test_check_reports_places_counts_and_exit_code(desk: Desk) -> None:
    """Findings sorted by path; 1 with findings, 0 without."""
    clean = desk.call("instructions.check")
    assert (clean.findings, clean.files, desk.exit_code("instructions.check", clean)) == ((), 2, 0)
    make_tree(desk.root, {"b/CLAUDE.md": "", "AGENTS.override.md": " \n"})
    found = desk.call("instructions.check")
    assert [(item.path, item.code) for item in found.findings] == [
        ("AGENTS.override.md", "empty-override"),
        ("b/CLAUDE.md", "discovery-failed"),
    ]
    assert sum(found.counts.values()) == 2
    assert desk.exit_code("instructions.check", found) == 1


def test_check_obeys_severities_from_settings(tmp_path: Path) -> None:
    """`off` silences, another severity replaces."""
    root = make_tree(tmp_path / "w", {".git": None, "AGENTS.md": "x\n", "AGENTS.override.md": "\n", "b/CLAUDE.md": ""})
    (root / "waybook.toml").write_text('[checks.severity]\nempty-override = "off"\ndiscovery-failed = "hint"\n')
    found = Desk(root).call("instructions.check")
    assert [(item.code, item.severity) for item in found.findings] == [("discovery-failed", "hint")]


def test_check_can_be_cancelled(desk: Desk) -> None:
    """Before anything is read."""
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        desk.call("instructions.check", progress=progress)


def test_check_fix_is_for_operators(desk: Desk) -> None:
    """An agent may look; it may not change the instructions that govern it."""
    make_tree(desk.root, {"CLAUDE.md": "-> AGENTS.md"})
    assert desk.call("instructions.check", agent=True).findings
    with pytest.raises(RefusedError) as caught:
        desk.call("instructions.check", agent=True, fix=True)
    assert caught.value.code == "operator-required"
    assert (desk.root / "CLAUDE.md").is_symlink()
    assert desk.call("instructions.check", fix=True).fixed == ("CLAUDE.md",)


def test_check_of_a_path_that_is_not_there(desk: Desk) -> None:
    """A typing error is not a clean result."""
    with pytest.raises(NotFoundError, match=r"mistyped\.md"):
        desk.call("instructions.check", paths=("mistyped.md",))
    with pytest.raises(DiscoveryError, match="escapes"):
        desk.call("instructions.check", paths=("../../etc",), workspace=str(desk.root))


# --- pin, drift, confirm ----------------------------------------------------------------------------------------------


def test_pin_and_pin_again(desk: Desk) -> None:
    """The second time nothing is written; after a change the next revision says what differs."""
    first = desk.call("instructions.pin")
    assert (first.revision, first.unchanged, [scope.scope for scope in first.scopes]) == (1, False, ["", "a"])
    again = desk.call("instructions.pin")
    assert (again.revision, again.unchanged, again.baseline_id) == (1, True, first.baseline_id)
    (desk.root / "a/AGENTS.md").write_text("other\n")
    third = desk.call("instructions.pin")
    assert (third.revision, third.unchanged, third.differs) == (2, False, ("a",))


def test_pin_is_all_or_nothing(desk: Desk) -> None:
    """One refused directory, and no baseline is written."""
    make_tree(desk.root, {"b/CLAUDE.md": ""})
    with pytest.raises(DiscoveryError, match=r"b/CLAUDE\.md is empty"):
        desk.call("instructions.pin")
    (desk.root / "b/CLAUDE.md").unlink()
    assert desk.call("instructions.pin").revision == 1


def test_agents_neither_pin_nor_confirm_nor_create_runs(desk: Desk) -> None:
    """Only a person says that something was reviewed."""
    for command_id, params in (
        ("instructions.pin", {}),
        ("instructions.confirm", {"confirm": True}),
        ("runs.create", {"goal": "x"}),
    ):
        with pytest.raises(RefusedError) as caught:
            desk.call(command_id, agent=True, **params)
        assert caught.value.code == "operator-required"
    assert desk.call("workspaces.list", agent=True).workspaces == ()


def test_drift_file_by_file(desk: Desk) -> None:
    """Added, changed and removed files with their differences; the exit code is 1 while stale."""
    desk.call("instructions.pin")
    assert desk.exit_code("instructions.drift", desk.call("instructions.drift", agent=True)) == 0
    (desk.root / "AGENTS.md").write_text("changed\n")
    (desk.root / "a/AGENTS.md").unlink()
    make_tree(desk.root, {"b/CLAUDE.md": "new\n"})
    found = desk.call("instructions.drift")
    assert [(item.scope, item.state) for item in found.scopes] == [("", "changed"), ("a", "removed"), ("b", "added")]
    assert {item.path: item.change for item in found.files}["AGENTS.md"] == "changed"
    assert desk.exit_code("instructions.drift", found) == 1
    difference = next(item.difference for item in found.files if item.path == "AGENTS.md")
    assert difference.splitlines()[2:] == ["@@ -1 +1 @@", "-root", "+changed"]


def test_drift_of_a_refused_scope_names_the_cause_and_cannot_be_confirmed(desk: Desk) -> None:
    """No live fingerprint, so that nobody confirms what cannot be read."""
    desk.call("instructions.pin")
    (desk.root / "a/AGENTS.md").write_text("")
    found = desk.call("instructions.drift")
    assert [(item.scope, item.state) for item in found.scopes] == [("a", "refused")]
    assert found.expected_live_fingerprint == ""
    with pytest.raises(DiscoveryError):
        desk.call("instructions.confirm", confirm=True, expected_fingerprint=found.expected_fingerprint)


def test_drift_without_a_baseline(desk: Desk) -> None:
    """Says so, says what to do, and registers nothing."""
    with pytest.raises(NotFoundError) as caught:
        desk.call("instructions.drift")
    assert (caught.value.code, "waybook pin" in str(caught.value.hint)) == ("no-baseline", True)
    assert desk.call("workspaces.list").workspaces == ()


def test_confirm_is_bound_to_both_texts(desk: Desk) -> None:
    """Wrong pin, wrong live text, no --confirm: nothing is written. The right pair: the next revision, once."""
    desk.call("instructions.pin")
    (desk.root / "AGENTS.md").write_text("reviewed\n")
    seen = desk.call("instructions.drift")
    right = {
        "expected_fingerprint": seen.expected_fingerprint,
        "expected_live_fingerprint": seen.expected_live_fingerprint,
    }
    with pytest.raises(UsageError):
        desk.call("instructions.confirm", **right)
    (desk.root / "AGENTS.md").write_text("slipped in\n")
    with pytest.raises(ConflictError) as caught:
        desk.call("instructions.confirm", confirm=True, **right)
    assert caught.value.code == "live-changed"
    (desk.root / "AGENTS.md").write_text("reviewed\n")
    with pytest.raises(ConflictError):
        desk.call("instructions.confirm", confirm=True, **{**right, "expected_fingerprint": "0" * 64})
    done = desk.call("instructions.confirm", confirm=True, **right)
    assert (done.revision, done.confirmed_by, done.fingerprint) == (2, "tester", seen.expected_live_fingerprint)
    with pytest.raises(ConflictError):
        desk.call("instructions.confirm", confirm=True, **right)
    assert desk.call("instructions.drift").stale is False
    assert desk.app.analysis(str(desk.root)).view().drift == {}, "the editor's view knows at once"


@pytest.mark.parametrize(("given", "scope"), [(".", ""), ("a", "a"), ("a/", "a"), ("./a", "a")])
def test_confirm_one_directory(desk: Desk, given: str, scope: str) -> None:
    """Only that scope moves; the others still drift."""
    desk.call("instructions.pin")
    make_tree(desk.root, {"AGENTS.md": "r2\n", "a/AGENTS.md": "a2\n"})
    seen = {item.scope: item for item in desk.call("instructions.drift").scopes}
    one = seen[scope]
    desk.call(
        "instructions.confirm",
        scope=given,
        confirm=True,
        expected_fingerprint=one.fingerprint,
        expected_live_fingerprint=one.live_fingerprint,
    )
    assert {item.scope for item in desk.call("instructions.drift").scopes} == {"", "a"} - {scope}


def test_confirm_reads_the_disk_not_the_memory(desk: Desk) -> None:
    """A rewrite between the review and the confirmation is seen, whatever the analysis remembers."""
    desk.call("instructions.pin")
    (desk.root / "AGENTS.md").write_text("1111\n")
    seen = desk.call("instructions.drift")
    (desk.root / "AGENTS.md").write_text("2222\n")
    with pytest.raises(ConflictError):
        desk.call(
            "instructions.confirm",
            confirm=True,
            expected_fingerprint=seen.expected_fingerprint,
            expected_live_fingerprint=seen.expected_live_fingerprint,
        )


# --- inspect ----------------------------------------------------------------------------------------------------------


def test_inspect_a_target_is_the_snapshot(desk: Desk) -> None:
    """The same fingerprint as explain's."""
    snapshot = desk.call("instructions.inspect", target="a/x.py", agent=True)
    assert snapshot.fingerprint == desk.call("instructions.explain", target="a/x.py").snapshot.fingerprint


def test_inspect_a_run_whose_workspace_broke(desk: Desk) -> None:
    """The pin stays readable; the live side says why it is refused; that is stale."""
    run = desk.call("runs.create", goal="x", target="a/x.py")
    (desk.root / "a/AGENTS.md").write_text("")
    found = desk.call("instructions.inspect", run=run.id)
    assert (found.live, found.stale, found.error["code"]) == (None, True, "empty")
    assert found.pinned.fingerprint == run.fingerprint
    assert desk.exit_code("instructions.inspect", found) == 1
