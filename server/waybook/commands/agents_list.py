"""`agents.list`: the agents Waybook knows, how well, and which are in use here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.agents import ids, profile
from waybook.agents.asking import Asked, make_request
from waybook.agents.traces import in_use
from waybook.commands.model import Call, Command, param
from waybook.workspace.box import Box

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """The workspace and home in which traces of agents are looked for."""

    workspace: str = param("Workspace directory.", default="", metavar="DIR")
    home: str = param("Home directory instead of your own.", default="", metavar="DIR")


@dataclass(frozen=True, slots=True)
class Known:
    """One agent. `confidence`: measured on this version, read in its source, documented, or reported."""

    id: str
    name: str
    version: str
    confidence: str
    in_use: bool
    reads: tuple[str, ...]
    reach: str


@dataclass(frozen=True, slots=True)
class Agents:
    """Every agent, measured ones first."""

    workspace: str
    agents: tuple[Known, ...]


def run(services: Services, params: Params, _call: Call) -> Agents:
    """Raises `NotFoundError` for a directory that is not there."""
    asked = Asked(workspace=params.workspace, home=params.home)
    request, _ = make_request(asked, services.cwd, services.environ)
    chosen = in_use(request, Box(), services.settings(request.workspace).settings.agents)
    return Agents(
        request.workspace,
        tuple(
            Known(found.id, found.name, found.version, found.confidence, found.id in chosen, found.names, found.reach)
            for found in map(profile, ids())
        ),
    )


COMMAND = Command(id="agents.list", title="List the agents Waybook knows", params=Params, run=run, actor="agent")
