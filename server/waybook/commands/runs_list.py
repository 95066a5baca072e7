"""`runs.list`: runs, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, never, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.model import Run


@dataclass(frozen=True, slots=True)
class Params:
    """All workspaces unless one is named."""

    workspace: str = param("Only this workspace: directory or registered name.", default="", metavar="DIR")
    limit: int = param("At most this many (1 to 500).", default=50, metavar="N")


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs, newest first."""

    runs: tuple[Run, ...]


def run(services: Services, params: Params, _call: Call) -> Runs:
    """Raises `NotFoundError` for a workspace that is not registered."""
    root = services.locate(params.workspace).root if params.workspace else ""
    return Runs(services.runs().list_runs(root, params.limit))


COMMAND = Command(id="runs.list", title="List runs", params=Params, run=run, actor="agent", needs_workspace=never)
