"""`memory.delete`: delete a memory for good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.memory.model import Deleted


@dataclass(frozen=True, slots=True)
class Params:
    """The memory, and the version that was seen."""

    memory: str = param("Memory id.", positional=True)
    version: int = param("The version you saw; another one is a conflict.", metavar="N")


def run(services: Services, params: Params, call: Call) -> Deleted:
    """Raises `ConflictError` for another version, `NotFoundError`, `RefusedError` for an agent."""
    return services.memory().delete(params.memory, params.version, call.actor)


COMMAND = Command(id="memory.delete", title="Delete a memory for good", params=Params, run=run, writes=True)
