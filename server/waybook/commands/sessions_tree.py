"""`sessions.tree`: everything that hangs together with a session, and what has changed since."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.continuity.browse.model import Tree


@dataclass(frozen=True, slots=True)
class Params:
    """Where to begin."""

    name: str = param("Id of a session, a run or a node.", positional=True)


def run(services: Services, params: Params, call: Call) -> Tree:
    """Raises `NotFoundError`, `UsageError` when several sessions are meant, `RefusedError` for an agent."""
    call.actor.require_operator("look at the tree of a session")
    return services.browse().tree(params.name)


COMMAND = Command(id="sessions.tree", title="Show the tree of a session", params=Params, run=run)
