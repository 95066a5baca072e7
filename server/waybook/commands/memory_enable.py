"""`memory.enable`: let a memory count again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.memory.model import Status

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.memory.model import Written


@dataclass(frozen=True, slots=True)
class Params:
    """The memory, and the version that was seen."""

    memory: str = param("Memory id.", positional=True)
    version: int = param("The version you saw; another one is a conflict.", metavar="N")


def run(services: Services, params: Params, call: Call) -> Written:
    """Raises `ConflictError` for another version, `NotFoundError`, `RefusedError` for an agent."""
    return services.memory().switch(params.memory, params.version, Status.ACTIVE, call.actor)


COMMAND = Command(id="memory.enable", title="Let a memory count again", params=Params, run=run, writes=True)
