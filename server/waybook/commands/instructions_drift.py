"""`instructions.drift`: what changed since a workspace or a run was pinned, file by file, with the text's difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import NotFoundError
from waybook.commands.model import Call, Command, param, unless
from waybook.instructions.changes import FileChange, file_changes
from waybook.instructions.model import Snapshot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.commands.services import Services
    from waybook.instructions.baseline import Baseline, ScopeDrift
    from waybook.instructions.model import Discovery


@dataclass(frozen=True, slots=True)
class Params:
    """Without `run`: the workspace against its newest baseline."""

    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    run: str = param("Compare this run's pinned target instead of the workspace's baseline.", default="", metavar="ID")


@dataclass(frozen=True, slots=True)
class Drift:
    """The pin beside the disk.

    `expected_fingerprint` and `expected_live_fingerprint` are what a confirmation of just this answer must name; the
    live one is empty while a scope is refused. `scopes` lists what drifted, `files` each file once.
    """

    workspace: str
    workspace_found_by: str
    against: str
    id: str
    revision: int
    pinned_by: str
    pinned_at: str
    expected_fingerprint: str
    expected_live_fingerprint: str
    stale: bool
    scopes: tuple[ScopeDrift, ...]
    files: tuple[FileChange, ...]


def run(services: Services, params: Params, call: Call) -> Drift:
    """Raises `NotFoundError` (code no-baseline) for a workspace that was never pinned, or for an unknown run."""
    return _of_run(services, params.run) if params.run else _of_workspace(services, params, call)


def _of_workspace(services: Services, params: Params, call: Call) -> Drift:
    from waybook.instructions.baseline import drift

    located = services.locate(params.workspace)
    baseline = _newest_baseline(services, located.root)
    if baseline is None:
        raise NotFoundError(
            f"The workspace {located.root} has no baseline yet.",
            code="no-baseline",
            path=located.root,
            hint="Review its instructions (`waybook explain`), then run `waybook pin`.",
        )
    live = services.analysis(located.root).view(progress=call.progress).scopes
    found = drift(baseline, live)
    return Drift(
        workspace=located.root,
        workspace_found_by=located.found_by,
        against="baseline",
        id=baseline.id,
        revision=baseline.revision,
        pinned_by=baseline.created_by,
        pinned_at=baseline.created_at,
        expected_fingerprint=found.tree_fingerprint,
        expected_live_fingerprint=found.live_tree_fingerprint,
        stale=found.stale,
        scopes=found.scopes,
        files=file_changes((baseline.snapshots.get(item.scope), _snapshot(live, item.scope)) for item in found.scopes),
    )


def _newest_baseline(services: Services, root: str) -> Baseline | None:
    """The baseline in force; a question does not register a workspace."""
    try:
        workspace = services.runs().workspace(root)
    except NotFoundError:
        return None
    return services.baselines().newest(workspace.id)


def _snapshot(live: Mapping[str, Discovery], scope: str) -> Snapshot | None:
    answer = live.get(scope)
    return answer if isinstance(answer, Snapshot) else None


def _of_run(services: Services, run_id: str) -> Drift:
    from waybook.instructions.baseline import scope_drift

    inspection = services.ledger().inspect(run_id, services.discover)
    run_record = services.runs().show_run(run_id)
    workspace = services.runs().workspace(run_record.workspace_id)
    if inspection.pinned is None:
        raise NotFoundError(
            f"The run {run_id} is pinned to nothing yet.",
            code="no-pin",
            hint=f"Look at `waybook context instructions --run {run_id}`, then confirm what it shows.",
        )
    newest = inspection.history[-1]
    one = scope_drift(run_record.target, inspection.pinned, inspection.live)
    return Drift(
        workspace=workspace.root,
        workspace_found_by="run",
        against="run",
        id=run_id,
        revision=newest.revision,
        pinned_by=newest.confirmed_by,
        pinned_at=newest.created_at,
        expected_fingerprint=inspection.pinned.fingerprint,
        expected_live_fingerprint=inspection.live.fingerprint if inspection.live else "",
        stale=inspection.stale,
        scopes=() if one is None else (one,),
        files=file_changes([(inspection.pinned, inspection.live)]) if inspection.stale else (),
    )


COMMAND = Command(
    id="instructions.drift",
    title="Show what changed since the instructions were pinned",
    params=Params,
    run=run,
    actor="agent",
    exit_code=lambda result: 1 if result.stale else 0,
    needs_workspace=unless("run"),
)
