"""The wiring: which workspace is meant, settings by workspace, drift against what was selected, one store."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from support.workspaces import Desk, make_tree
from waybook.app import App
from waybook.base.actor import operator
from waybook.base.errors import DiscoveryError, NotFoundError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    """A checkout with a nested guide."""
    return make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "root\n", "a/AGENTS.md": "a\n"})


def test_aim_relative_absolute_and_inside_a_named_workspace(ws: Path, tmp_path: Path) -> None:
    """Root and workspace-relative target for every way to say it."""
    below = App(cwd=str(ws / "a"))
    assert [below.aim(target)[1] for target in ("x.py", ".", "..", "../b/x", str(ws / "a/x"))] == [
        "a/x.py",
        "a",
        ".",
        "b/x",
        "a/x",
    ]
    assert below.aim("x.py")[0].root == str(ws)
    named = App(cwd=str(tmp_path)).aim("a/x", "shop")
    assert (named[0].root, named[0].found_by, named[1]) == (str(ws), "argument", "a/x")
    assert App(cwd=str(tmp_path)).aim(str(ws / "a/x"), "shop")[1] == "a/x"
    assert App(cwd=str(tmp_path)).aim("/etc/hostname", "shop")[1] == "/etc/hostname", "refused later, by discovery"


def test_aim_refuses_nul(ws: Path) -> None:
    """Before any system call sees it."""
    with pytest.raises(UsageError, match="NUL"):
        App(cwd=str(ws)).aim("a\0b")


def test_a_sibling_whose_name_begins_the_same_is_not_inside(ws: Path, tmp_path: Path) -> None:
    """`shop` does not hold `shop2/x`."""
    make_tree(tmp_path / "shop2", {"AGENTS.md": "other\n"})
    located, target = App(cwd=str(tmp_path)).aim(str(tmp_path / "shop2/AGENTS.md"), "shop")
    assert (located.root, target) == (str(ws), str(tmp_path / "shop2/AGENTS.md"))


def test_locate(ws: Path, tmp_path: Path) -> None:
    """A directory, a registered name, the marked directory around; anything else says what to do."""
    desk = Desk(ws)
    assert desk.app.locate().found_by == ".git"
    desk.call("instructions.pin")
    elsewhere = App(cwd=str(tmp_path))
    assert elsewhere.locate("shop").found_by == "argument", "a directory beside you wins over a name"
    deeper = App(cwd=str(make_tree(tmp_path / "other", {})))
    assert deeper.locate("shop").found_by == "registered name"
    for missing in ("nowhere", "no/where", str(tmp_path / "nowhere")):
        with pytest.raises(NotFoundError) as caught:
            deeper.locate(missing)
        assert caught.value.hint
    (tmp_path / "link").symlink_to(ws)
    with pytest.raises(DiscoveryError) as refused:
        elsewhere.locate("link")
    assert refused.value.code == "bad-root"
    assert str(ws) in str(refused.value.hint)


def test_a_registered_workspace_that_is_gone(ws: Path, tmp_path: Path) -> None:
    """Its name is known, its directory is not there: one clear error."""
    Desk(ws).call("instructions.pin")
    os.rename(ws, tmp_path / "moved")
    with pytest.raises(DiscoveryError, match="cannot be opened"):
        App(cwd=str(make_tree(tmp_path / "other", {}))).locate("shop")


def test_settings_come_from_file_environment_and_options(ws: Path) -> None:
    """In this order, and each workspace has its own."""
    (ws / "waybook.toml").write_text('exclude = ["gen"]\n[drift]\nagainst = "run"\n')
    app = App(cwd=str(ws), environ={"WAYBOOK_DRIFT_AGAINST": "baseline"}, options=(("editor", {"exclude": ["x"]}),))
    resolved = app.settings(str(ws))
    assert (resolved.settings.exclude, resolved.origin["exclude"]) == (("x",), "editor")
    assert (resolved.settings.drift_against, resolved.origin["drift_against"]) == ("baseline", "environment")
    assert app.settings().origin["drift_against"] == "environment"


@pytest.mark.parametrize("content", ["not toml [", b"\xff\xfe", "x = 1\n" * 20_000])
def test_a_settings_file_that_cannot_be_read_is_a_warning(ws: Path, content: str | bytes) -> None:
    """Never an error: the defaults hold."""
    (ws / "waybook.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    resolved = App(cwd=str(ws), environ={}).settings(str(ws))
    assert "waybook.toml is passed over" in resolved.warnings[0]


def test_new_options_take_effect_and_keep_unsaved_text(ws: Path) -> None:
    """The editor changed `exclude`: the next view obeys, and open buffers are still there."""
    app = App(cwd=str(ws), environ={})
    app.analysis(str(ws)).overlay.put("AGENTS.md", "unsaved\n", 3)
    assert set(app.analysis(str(ws)).view().scopes) == {"", "a"}
    app.set_options(("editor", {"exclude": ["a"]}))
    view = app.analysis(str(ws)).view()
    assert set(view.scopes) == {""}
    assert view.documents["AGENTS.md"].text == "unsaved\n"


def test_drift_is_measured_against_the_baseline_or_the_run_that_was_selected(ws: Path) -> None:
    """Setting `drift.against`; an unknown run and an unknown workspace pin nothing."""
    desk = Desk(ws)
    assert desk.app.analysis(str(ws)).view().pinned is None
    desk.call("instructions.pin")
    run = desk.call("runs.create", goal="x", target="a/x")
    (ws / "a/AGENTS.md").write_text("changed\n")
    against_baseline = desk.app.analysis(str(ws)).view()
    assert against_baseline.pinned is not None
    assert against_baseline.pinned.against == "baseline"
    assert set(against_baseline.drift) == {"a"}
    for run_id, pinned in ((run.id, {"a/x"}), ("run_unknown", None), ("", None)):
        desk.app.set_options(("editor", {"drift": {"against": "run", "run": run_id}}))
        found = desk.app.analysis(str(ws)).view().pinned
        assert (found and set(found.snapshots)) == pinned


def test_one_store_however_many_threads_ask_first(ws: Path) -> None:
    """Opened once."""
    app = App(cwd=str(ws))
    stores: list[int] = []
    threads = [threading.Thread(target=lambda: stores.append(id(app.store()))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(stores)) == 1
    app.close()
    app.close()


@pytest.mark.parametrize(
    ("environ", "name"), [({"WAYBOOK_OPERATOR": "mei"}, "mei"), ({"WAYBOOK_OPERATOR": " Mei Lin "}, "Mei-Lin")]
)
def test_operator(environ: dict[str, str], name: str) -> None:
    """Who is at the keyboard."""
    assert (operator(environ).kind, operator(environ).name) == ("operator", name)


def test_operator_without_an_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user id without a name, as in bare containers."""

    def nobody() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert operator({}).name in {f"uid-{os.getuid()}", "operator"}
