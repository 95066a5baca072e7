"""`candidates.list`: texts from finished work that may become memory, derived from notes now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.memory.candidates.model import Queue

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """At most 50 candidates, from at most 200 notes of the workspace."""

    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    reviewed: bool = param("Show what was confirmed or rejected instead, without its text.", default=False)


def run(services: Services, params: Params, call: Call) -> Queue:
    """Raises `NotFoundError` for a workspace that is not registered."""
    workspace = services.runs().workspace(services.locate(params.workspace).root)
    if params.reviewed:
        return Queue(services.candidates().reviewed(workspace.id, call.actor), scanned=0, more=0)
    return services.candidates().list(workspace.id, call.actor)


COMMAND = Command(id="candidates.list", title="List candidates for memory", params=Params, run=run)
