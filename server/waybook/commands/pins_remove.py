"""`pins.remove`: delete a pin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.pins.model import PinRemoved


@dataclass(frozen=True, slots=True)
class Params:
    """The pin, as it was seen."""

    pin: str = param("Pin id.", positional=True)
    version: int = param("The version you saw; another one is a conflict.", metavar="N")


def run(services: Services, params: Params, call: Call) -> PinRemoved:
    """Raises `NotFoundError`, or `ConflictError` for another version."""
    return services.pins().remove(params.pin, params.version, call.actor)


COMMAND = Command(id="pins.remove", title="Remove a pin", params=Params, run=run, writes=True)
