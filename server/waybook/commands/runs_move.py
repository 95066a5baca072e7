"""`runs.move`: move a run to another state; completing it is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.sessions.moves import parse_state

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.progress.service import Moved


@dataclass(frozen=True, slots=True)
class Params:
    """created -> running -> waiting_input, paused, completed, failed or cancelled; the last three are final."""

    run: str = param("Run id.", positional=True)
    state: str = param("The new state.", positional=True)


def run(services: Services, params: Params, call: Call) -> Moved:
    """Raises `ConflictError` for a move that is not allowed; a run that is there already changes nothing."""
    return services.progress().move(params.run, parse_state(params.state.replace("-", "_")), call.actor)


COMMAND = Command(id="runs.move", title="Move a run", params=Params, run=run, actor="agent", writes=True)
