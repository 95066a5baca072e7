"""`threads.list`: threads, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, never, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.threads.model import Thread


@dataclass(frozen=True, slots=True)
class Params:
    """All workspaces unless one is named."""

    workspace: str = param("Only this workspace: directory or registered name.", default="", metavar="DIR")
    closed: bool = param("Show closed threads too.", default=False)
    limit: int = param("At most this many (1 to 500).", default=50, metavar="N")


@dataclass(frozen=True, slots=True)
class Threads:
    """Threads, newest first."""

    threads: tuple[Thread, ...]


def run(services: Services, params: Params, _call: Call) -> Threads:
    """Raises `NotFoundError` for a workspace that is not registered."""
    workspace = services.runs().workspace(services.locate(params.workspace).root).id if params.workspace else ""
    return Threads(services.threads().list(workspace, closed=params.closed, limit=params.limit))


COMMAND = Command(id="threads.list", title="List threads", params=Params, run=run, actor="agent", needs_workspace=never)
