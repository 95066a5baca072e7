"""`workspaces.list`: the workspaces that have been registered, by a run or a pin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.model import Workspace


@dataclass(frozen=True, slots=True)
class Params:
    """No parameters."""


@dataclass(frozen=True, slots=True)
class Workspaces:
    """Every registered workspace, by name."""

    workspaces: tuple[Workspace, ...]


def run(services: Services, _params: Params, _call: Call) -> Workspaces:
    """Reads the store."""
    return Workspaces(tuple(services.runs().workspaces()))


COMMAND = Command(id="workspaces.list", title="List registered workspaces", params=Params, run=run, actor="agent")
