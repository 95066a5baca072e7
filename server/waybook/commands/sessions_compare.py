"""`sessions.compare`: two nodes side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.continuity.browse.model import Comparison


@dataclass(frozen=True, slots=True)
class Params:
    """Two nodes; a run or session stands for its newest node."""

    a: str = param("Id of a node, a run or a session.", positional=True)
    b: str = param("Id of a node, a run or a session.", positional=True)


def run(services: Services, params: Params, call: Call) -> Comparison:
    """Raises `NotFoundError`, `RefusedError` for what is only shown or for an agent."""
    call.actor.require_operator("compare sessions")
    return services.browse().compare(params.a, params.b)


COMMAND = Command(id="sessions.compare", title="Compare two nodes", params=Params, run=run)
