"""`memory.list`: memories, newest update first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param, unless
from waybook.memory.owners import visible

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.memory.model import Page


@dataclass(frozen=True, slots=True)
class Params:
    """Yours and the workspace's, unless a scope is named."""

    scope: str = param("Only user or only project.", default="", metavar="SCOPE")
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    all: bool = param("Disabled and expired ones as well.", default=False)
    limit: int = param("At most this many (1 to 500).", default=100, metavar="N")
    cursor: str = param("Where the page before ended.", default="", metavar="CURSOR")


def run(services: Services, params: Params, _call: Call) -> Page:
    """Raises `UsageError` for an unknown scope, a page size out of bounds or a cursor of another list."""
    owners = visible(params.scope, services.runs(), lambda: services.locate(params.workspace).root)
    return services.memory().list(owners, everything=params.all, limit=params.limit, cursor=params.cursor)


COMMAND = Command(id="memory.list", title="List memories", params=Params, run=run, needs_workspace=unless(scope="user"))
