"""Drift findings against the pin of a run, when the settings choose one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.service import Analysis
from waybook.analysis.view import Pinned
from waybook.base.clock import SystemClock

if TYPE_CHECKING:
    from pathlib import Path


def pinned_to(root: Path, target: str) -> Pinned:
    snapshot = Analysis(str(root), SystemClock(), lambda: None).discover(target)
    return Pinned("run", "run_1", 1, "2026-01-01T00:00:00.000000Z", "tester", {snapshot.target_path: snapshot})


def test_a_run_drifts_under_the_nearest_directory_of_its_target(tmp_path: Path) -> None:
    """Only the chain of the run's target counts; nothing is called gone because it is no scope."""
    (tmp_path / "pkg").mkdir()
    (tmp_path / "AGENTS.md").write_text("root\n")
    (tmp_path / "pkg/AGENTS.md").write_text("pkg\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/AGENTS.md").write_text("other\n")
    pinned = pinned_to(tmp_path, "pkg/x.py")
    analysis = Analysis(str(tmp_path), SystemClock(), lambda: pinned)
    assert analysis.view().drift == {}
    (tmp_path / "other/AGENTS.md").write_text("changed, but not on the run's chain\n")
    assert analysis.view().drift == {}
    (tmp_path / "AGENTS.md").write_text("changed\n")
    drift = analysis.view().drift
    assert {scope: diff.changed for scope, diff in drift.items()} == {"pkg": ("AGENTS.md",)}
    assert analysis.view(scopes=["pkg"]).drift.keys() == {"pkg"}
