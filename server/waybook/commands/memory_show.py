"""`memory.show`: one memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.memory.model import Memory


@dataclass(frozen=True, slots=True)
class Params:
    """The memory."""

    memory: str = param("Memory id.", positional=True)


def run(services: Services, params: Params, _call: Call) -> Memory:
    """Raises `NotFoundError` for an unknown id."""
    return services.memory().show(params.memory)


COMMAND = Command(id="memory.show", title="Show a memory", params=Params, run=run)
