"""Views over time: what is remembered, what unsaved text touches, progress and cancelling, pins."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING
from unittest import mock

import pytest

from support.workspaces import SteppingClock, make_tree
from waybook.analysis.service import Analysis
from waybook.base.cancel import Progress
from waybook.base.errors import CancelledError
from waybook.instructions.model import Snapshot
from waybook.workspace.guard import Guard

if TYPE_CHECKING:
    from pathlib import Path

    from waybook.analysis.view import Pinned


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two scopes, old enough for their marks to be trusted."""
    made = make_tree(tmp_path / "ws", {"AGENTS.md": "root\n", "a/CLAUDE.md": "a\n", "b/x.py": ""})
    time.sleep(0.06)
    return made


def analysis_of(root: Path, pinned: Pinned | None = None) -> Analysis:
    """A fresh analysis."""
    return Analysis(str(root), SteppingClock(), lambda: pinned)


def reads_of(analysis: Analysis) -> list[str]:
    """The files that one view reads."""
    read: list[str] = []
    real = Guard.read

    def counted(self: Guard, directory: str, name: str, limit: int) -> bytes | None:
        data = real(self, directory, name, limit)
        if data is not None:
            read.append(f"{directory}/{name}".lstrip("/"))
        return data

    with mock.patch.object(Guard, "read", counted):
        analysis.view()
    return read


def test_an_unchanged_workspace_is_not_read_again(root: Path) -> None:
    """The second view reads nothing, a changed file is read with what it belongs to, then again nothing."""
    analysis = analysis_of(root)
    assert set(reads_of(analysis)) == {"AGENTS.md", "a/CLAUDE.md"}
    assert reads_of(analysis) == []
    (root / "a/CLAUDE.md").write_text("changed\n")
    assert "a/CLAUDE.md" in reads_of(analysis)
    time.sleep(0.06)
    reads_of(analysis)
    assert reads_of(analysis) == []


def test_a_young_file_is_not_trusted(root: Path) -> None:
    """A second rewrite of the same size under the same time stamp shows in the next view."""
    analysis = analysis_of(root)
    path = root / "a/CLAUDE.md"
    path.write_text("1111\n")
    before = path.stat()
    assert analysis.view().documents["a/CLAUDE.md"].text == "1111\n"
    path.write_text("2222\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    view = analysis.view()
    assert view.documents["a/CLAUDE.md"].text == "2222\n"
    assert view.snapshots["a"].sources[-1].content == "2222\n"


def test_a_refusal_clears_as_soon_as_its_cause_is_gone(root: Path) -> None:
    """And other scopes are not touched by it."""
    analysis = analysis_of(root)
    (root / "a/CLAUDE.md").write_text("")
    view = analysis.view()
    assert (set(view.refusals), set(view.snapshots)) == ({"a"}, {""})
    (root / "a/CLAUDE.md").write_text("back\n")
    assert set(analysis.view().refusals) == set()


def test_unsaved_text_shows_in_documents_only(root: Path) -> None:
    """Snapshots, fingerprints and drift are about the disk; closing the buffer shows the disk again."""
    analysis = analysis_of(root)
    before = analysis.view()
    analysis.overlay.put("a/CLAUDE.md", "unsaved\n", 7)
    during = analysis.view()
    assert (during.documents["a/CLAUDE.md"].text, during.documents["a/CLAUDE.md"].version) == ("unsaved\n", 7)
    fingerprints = {scope: answer.fingerprint for scope, answer in before.snapshots.items()}
    assert {scope: answer.fingerprint for scope, answer in during.snapshots.items()} == fingerprints
    assert during.drift == before.drift == {}
    assert analysis.fresh_scopes().keys() == before.scopes.keys()
    assert analysis.discover("a/x").sources[-1].content == "a\n"
    analysis.overlay.drop("a/CLAUDE.md")
    after = analysis.view().documents["a/CLAUDE.md"]
    assert (after.text, after.version) == ("a\n", None)


def test_unsaved_text_hides_no_change_of_the_disk(root: Path) -> None:
    """What happens to the file while its buffer is open counts as soon as the buffer is closed, and for drift at once."""
    analysis = analysis_of(root)
    analysis.view()
    analysis.overlay.put("AGENTS.md", "unsaved\n", 1)
    (root / "AGENTS.md").write_text("disk\n")
    assert analysis.view().snapshots[""].sources[0].content == "disk\n"
    analysis.overlay.drop("AGENTS.md")
    assert analysis.view().documents["AGENTS.md"].text == "disk\n"


def test_views_are_immutable_and_numbered(root: Path) -> None:
    """An old view keeps what it said; revisions grow."""
    analysis = analysis_of(root)
    old = analysis.view()
    (root / "AGENTS.md").write_text("new\n")
    new = analysis.view()
    assert new.revision > old.revision
    assert old.documents["AGENTS.md"].text == "root\n"
    assert new.documents["AGENTS.md"].text == "new\n"


def test_an_unchanged_document_stays_the_same_object(root: Path) -> None:
    """What was derived from it (lines, parse results) stays valid."""
    analysis = analysis_of(root)
    first, second = analysis.view(), analysis.view()
    assert first.documents["AGENTS.md"] is second.documents["AGENTS.md"]


def test_progress_tells_what_and_how_far(root: Path) -> None:
    """Each step names the work; totals are given where they are known."""
    told: list[tuple[str, int, int]] = []
    analysis_of(root).view(progress=Progress(lambda *step: told.append(step)))
    assert "looking for instruction files" in [what for what, _, _ in told]
    assert ("reading instruction files", 0, 2) in told


@pytest.mark.parametrize("at", ["looking for instruction files", "reading instruction files"])
def test_cancelling_stops_at_the_next_step_and_harms_nothing(root: Path, at: str) -> None:
    """`CancelledError`, and the next view is complete and right."""
    analysis = analysis_of(root)

    def report(what: str, _done: int, _total: int) -> None:
        if what == at:
            progress.cancel()

    progress = Progress(report)
    make_tree(root, {f"many/d{number}/AGENTS.md": "x\n" for number in range(300)})
    with pytest.raises(CancelledError, match="Cancelled while"):
        analysis.view(progress=progress)
    assert len(analysis.view().scopes) == 302


def test_fresh_scopes_can_be_cancelled_too(root: Path) -> None:
    """A confirmation that waits for a huge tree can be stopped."""
    progress = Progress()
    progress.cancel()
    with pytest.raises(CancelledError):
        analysis_of(root).fresh_scopes(progress)


def test_the_pin_is_asked_for_once_until_forgotten(root: Path) -> None:
    """Views don't ask the database each time."""
    asked: list[int] = []
    analysis = Analysis(str(root), SteppingClock(), lambda: asked.append(1))  # type: ignore[func-returns-value]  # None: no pin
    analysis.view()
    analysis.view()
    assert len(asked) == 1
    analysis.forget_pinned()
    analysis.view()
    assert len(asked) == 2


def test_excluded_directories_are_not_looked_into(root: Path) -> None:
    """Neither as scopes nor as documents; asking for a target there still answers."""
    make_tree(root, {"gen/AGENTS.md": "g\n"})
    analysis = Analysis(str(root), SteppingClock(), lambda: None, ("gen",))
    assert "gen" not in analysis.view().scopes
    assert isinstance(analysis.discover("gen/x"), Snapshot)
