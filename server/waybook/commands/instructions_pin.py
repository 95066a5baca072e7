"""`instructions.pin`: pin every scope of a workspace as reviewed, under one fingerprint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """The workspace to pin."""

    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")


@dataclass(frozen=True, slots=True)
class PinnedScope:
    """One directory that holds instructions: "" is the root."""

    scope: str
    fingerprint: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PinResult:
    """The baseline in force. `unchanged`: it was the newest already, nothing was written.

    `differs`: the scopes that differ from the baseline before.
    """

    workspace: str
    workspace_found_by: str
    workspace_id: str
    baseline_id: str
    revision: int
    fingerprint: str
    pinned_by: str
    pinned_at: str
    scopes: tuple[PinnedScope, ...]
    unchanged: bool
    differs: tuple[str, ...]


def run(services: Services, params: Params, call: Call) -> PinResult:
    """Raises `DiscoveryError` when any scope is refused (nothing is pinned then), `RefusedError` for an agent."""
    call.actor.require_operator("pin a workspace")
    located = services.locate(params.workspace)
    analysis = services.analysis(located.root)
    answers = analysis.view(progress=call.progress).scopes
    workspace = services.runs().register(located.root)
    before = services.baselines().newest(workspace.id)
    baseline = services.baselines().pin(workspace.id, answers, call.actor)
    analysis.forget_pinned()
    old = {scope: snapshot.fingerprint for scope, snapshot in before.snapshots.items()} if before else {}
    new = {scope: snapshot.fingerprint for scope, snapshot in baseline.snapshots.items()}
    return PinResult(
        workspace=located.root,
        workspace_found_by=located.found_by,
        workspace_id=workspace.id,
        baseline_id=baseline.id,
        revision=baseline.revision,
        fingerprint=baseline.tree_fingerprint,
        pinned_by=baseline.created_by,
        pinned_at=baseline.created_at,
        scopes=tuple(
            PinnedScope(scope, snapshot.fingerprint, tuple(source.path for source in snapshot.sources))
            for scope, snapshot in sorted(baseline.snapshots.items())
        ),
        unchanged=before is not None and before.id == baseline.id,
        differs=tuple(sorted(scope for scope in {*old, *new} if old.get(scope) != new.get(scope))),
    )


COMMAND = Command(
    id="instructions.pin", title="Pin the instructions of a workspace as reviewed", params=Params, run=run, writes=True
)
