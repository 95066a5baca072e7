"""`agents.matrix`: files x agents, at a glance: what loads at start, lazily, cut, or not, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.agents.asking import Asked, make_request
from waybook.agents.choice import chosen_agents
from waybook.agents.matrix import Row, rows
from waybook.agents.parts.known import known_directories, sample_file
from waybook.commands.model import Call, Command, param
from waybook.workspace.box import Box

if TYPE_CHECKING:
    from waybook.agents.model import Request
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """Without targets: every directory of the workspace that holds instruction files."""

    targets: tuple[str, ...] = param(
        "Files or directories; by default the whole workspace.", default=(), positional=True
    )
    agent: tuple[str, ...] = param("Agents: ids, or `all`; by default those in use.", default=(), metavar="IDS")
    workspace: str = param("Workspace directory.", default="", metavar="DIR")
    cwd: str = param("Where the agents were started; by default the workspace.", default="", metavar="DIR")
    home: str = param("Home directory instead of your own.", default="", metavar="DIR")
    root: str = param("Directory that stands for the file system's root.", default="", metavar="DIR")
    agent_arg: tuple[str, ...] = param(
        "An argument the agents were started with (repeat it).", default=(), metavar="ARG"
    )


@dataclass(frozen=True, slots=True)
class Matrix:
    """One row a file, one cell an agent. Also emitted row by row while it is being made."""

    request: Request
    workspace_found_by: str
    agents: tuple[str, ...]
    rows: tuple[Row, ...]
    box: Box

    def to_json(self) -> dict[str, Any]:
        """Paths as they are on this machine."""
        return {
            "workspace": self.box.host(self.request.workspace),
            "workspace_found_by": self.workspace_found_by,
            "cwd": self.box.host(self.request.cwd),
            "agents": list(self.agents),
            "rows": [self.row_json(row) for row in self.rows],
        }

    def row_json(self, row: Row) -> dict[str, Any]:
        """One row."""
        cells = {
            cell.agent: {"state": cell.state, "reason": cell.reason or None, "cut_at": cell.cut_at, "why": cell.why}
            for cell in row.cells
        }
        return {"path": row.path, "abs_path": self.box.host(row.abs_path), "agents": cells}


def run(services: Services, params: Params, call: Call) -> Matrix:
    """Raises `UsageError` for an unknown agent, `NotFoundError` for a directory that is not there."""
    first = params.targets[0] if params.targets else ""
    asked = Asked(first, params.workspace, params.cwd, params.home, params.root, params.agent_arg)
    request, found_by = make_request(asked, services.cwd, services.environ)
    box = Box(request.root)
    settings = services.settings(box.host(request.workspace)).settings
    agents = chosen_agents(params.agent, request, box, settings.agents)
    empty = Matrix(request, found_by, agents, (), box)
    targets = _targets(services, params, request, box, settings.exclude)
    call.emit(empty)
    made: list[Row] = []
    for row in rows(request, _stepping(targets, call), agents, box):
        made.append(row)
        call.emit(row)
    return Matrix(request, found_by, agents, tuple(made), box)


def _targets(services: Services, params: Params, request: Request, box: Box, exclude: tuple[str, ...]) -> list[str]:
    if not params.targets:
        return [sample_file(box, place) for place in known_directories(box, request.workspace, exclude)]
    found = []
    for target in params.targets:
        asked = Asked(target, params.workspace, params.cwd, params.home, params.root)
        found.append(make_request(asked, services.cwd, services.environ)[0].target or request.workspace)
    return found


def _stepping(targets: list[str], call: Call) -> Any:
    for done, target in enumerate(targets):
        call.progress.step("asking the agents", done, len(targets))
        yield target


COMMAND = Command(id="agents.matrix", title="Show which agents load which files", params=Params, run=run, actor="agent")
