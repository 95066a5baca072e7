"""`runs.create`: a run, pinned to the instructions of its target as they are now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.model import Run


@dataclass(frozen=True, slots=True)
class Params:
    """`target` is workspace-relative."""

    goal: str = param("What the run is to achieve.", metavar="TEXT")
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    profile: str = param("Name of the profile it will run under.", default="default", metavar="NAME")
    target: str = param("File or directory whose instructions are pinned.", default=".", metavar="PATH")
    thread: str = param("The thread whose next run this is.", default="", metavar="ID")


def run(services: Services, params: Params, call: Call) -> Run:
    """Raises `DiscoveryError` when the target's instructions are refused; then no run exists."""
    call.actor.require_operator("create a run")
    located, target = services.aim(params.target, params.workspace)
    snapshot = services.analysis(located.root).discover(target)
    return services.runs().create_run(
        located.root, params.goal, params.profile, snapshot.target_path, snapshot, call.actor, thread=params.thread
    )


COMMAND = Command(id="runs.create", title="Create a run", params=Params, run=run, writes=True)
