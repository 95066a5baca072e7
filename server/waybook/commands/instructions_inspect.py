"""`instructions.inspect`: the snapshot for a target; or a run's pinned snapshot beside the live one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param, unless

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.instructions.ledger import Inspection
    from waybook.instructions.model import Snapshot


@dataclass(frozen=True, slots=True)
class Params:
    """Without `run`: discover `target` now. With `run`: what that run was pinned to, and what the disk says now."""

    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    target: str = param(
        "File or directory; by default the current directory, or the run's own target.", default="", metavar="PATH"
    )
    run: str = param("Run to inspect.", default="", metavar="ID")


def run(services: Services, params: Params, _call: Call) -> Snapshot | Inspection:
    """A `Snapshot` without a run, an `Inspection` with one."""
    if params.run:
        return services.ledger().inspect(params.run, services.discover)
    located, target = services.aim(params.target, params.workspace)
    return services.analysis(located.root).discover(target)


def _exit_code(result: Snapshot | Inspection) -> int:
    return 1 if getattr(result, "stale", False) else 0


COMMAND = Command(
    id="instructions.inspect",
    title="Inspect the instructions of a target or a run",
    params=Params,
    run=run,
    actor="agent",
    exit_code=_exit_code,
    needs_workspace=unless("run"),
)
