"""What drift in a workspace is measured against: the newest baseline, or the run that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.view import Pinned
from waybook.base.errors import NotFoundError

if TYPE_CHECKING:
    from waybook.instructions.baseline import BaselineService
    from waybook.instructions.ledger import LedgerService
    from waybook.sessions.service import RunService
    from waybook.settings import Settings


def selected(
    root: str, settings: Settings, runs: RunService, ledger: LedgerService, baselines: BaselineService
) -> Pinned | None:
    """The pin that counts for the workspace `root`; None when nothing is pinned, or the run is not known."""
    try:
        if settings.drift_against == "run":
            return _of_run(settings.drift_run, ledger)
        baseline = baselines.newest(runs.workspace(root).id)
    except NotFoundError:
        return None
    if baseline is None:
        return None
    made = (baseline.revision, baseline.created_at, baseline.created_by)
    return Pinned("baseline", baseline.id, *made, baseline.snapshots)


def _of_run(run_id: str, ledger: LedgerService) -> Pinned | None:
    found = ledger.pinned(run_id) if run_id else None
    if found is None:
        return None
    snapshot, newest = found
    made = (newest.revision, newest.created_at, newest.confirmed_by)
    return Pinned("run", run_id, *made, {snapshot.target_path: snapshot})
