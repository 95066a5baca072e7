"""`instructions.confirm`: accept what the disk says now as reviewed, naming both fingerprints that were seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.commands.model import Call, Command, param, unless
from waybook.workspace.paths import clean_target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.commands.services import Services
    from waybook.instructions.baseline import Baseline
    from waybook.instructions.ledger import Inspection
    from waybook.instructions.model import Discovery


@dataclass(frozen=True, slots=True)
class Params:
    """`run`: confirm a run's pin; `scope` (with `one_scope`): one directory of the baseline; else the whole baseline."""

    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    run: str = param("Confirm for this run instead of the workspace's baseline.", default="", metavar="ID")
    scope: str = param("Confirm only this directory (`.` is the root).", default="", metavar="DIR")
    expected_fingerprint: str = param("The pinned fingerprint you saw (empty: none yet).", default="", metavar="SHA256")
    expected_live_fingerprint: str = param("The live fingerprint you reviewed.", default="", metavar="SHA256")
    confirm: bool = param("Say that you reviewed the change.", default=False)


@dataclass(frozen=True, slots=True)
class ConfirmedBaseline:
    """The baseline that a confirmation wrote."""

    workspace: str
    workspace_found_by: str
    baseline_id: str
    revision: int
    fingerprint: str
    confirmed_by: str
    confirmed_at: str


def run(services: Services, params: Params, call: Call) -> Inspection | ConfirmedBaseline:
    """Raises `ConflictError` when either fingerprint is not the current one; then nothing was written."""
    call.actor.require_operator("confirm instructions")
    if not params.confirm:
        raise UsageError(
            "Nothing was confirmed: the confirmation itself is missing.",
            code="confirm-missing",
            hint="Review the change, then pass confirm (on the command line --confirm).",
        )
    if params.run:
        done = services.ledger().confirm(
            params.run,
            params.expected_fingerprint,
            params.expected_live_fingerprint,
            services.discover,
            call.actor,
        )
        services.analysis(services.runs().workspace(done.workspace_id).root).forget_pinned()
        return done
    return _confirm_workspace(services, params, call)


def _confirm_workspace(services: Services, params: Params, call: Call) -> ConfirmedBaseline:
    located = services.locate(params.workspace)
    workspace = services.runs().register(located.root)
    baseline: Baseline
    expected = (params.expected_fingerprint, params.expected_live_fingerprint)
    if params.scope:
        scope = scope_named(params.scope)
        baseline = services.baselines().confirm_scope(
            workspace.id, scope, *expected, lambda root, name: _scopes(services, root, call).get(name), call.actor
        )
    else:
        baseline = services.baselines().confirm(
            workspace.id, *expected, lambda root: _scopes(services, root, call), call.actor
        )
    services.analysis(located.root).forget_pinned()
    return ConfirmedBaseline(
        located.root,
        located.found_by,
        baseline.id,
        baseline.revision,
        baseline.tree_fingerprint,
        baseline.created_by,
        baseline.created_at,
    )


def scope_named(directory: str) -> str:
    """The scope of a workspace-relative directory as a person types it."""
    cleaned = clean_target(directory)
    return "" if cleaned == "." else cleaned


def _scopes(services: Services, root: str, call: Call) -> Mapping[str, Discovery]:
    return services.analysis(root).fresh_scopes(call.progress)


COMMAND = Command(
    id="instructions.confirm",
    title="Confirm reviewed drift",
    params=Params,
    run=run,
    writes=True,
    needs_workspace=unless("run"),
)
