"""`memory.export`: memories as one JSON document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.commands.model import Call, Command, param, unless
from waybook.memory.export import PROTOCOL, Export
from waybook.memory.owners import visible

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """Yours and the workspace's, unless a scope is named."""

    scope: str = param("Only user or only project.", default="", metavar="SCOPE")
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    all: bool = param("Disabled and expired ones as well.", default=False)


def run(services: Services, params: Params, call: Call) -> Export:
    """Raises `UsageError` for an unknown scope, `RefusedError` for an agent."""
    call.actor.require_operator("export memories")
    owners = visible(params.scope, services.runs(), lambda: services.locate(params.workspace).root)
    found = services.memory().export(owners, everything=params.all)
    return Export(PROTOCOL, timestamp(services.clock.now()), params.all, found)


COMMAND = Command(
    id="memory.export", title="Export memories", params=Params, run=run, needs_workspace=unless(scope="user")
)
