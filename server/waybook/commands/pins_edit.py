"""`pins.edit`: write a pin's next version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.pins.model import PinWritten


@dataclass(frozen=True, slots=True)
class Params:
    """The whole new text."""

    pin: str = param("Pin id.", positional=True)
    version: int = param("The version you saw; another one is a conflict.", metavar="N")
    text: str | None = param("The new text, kept exactly as it is.", default=None, metavar="TEXT")


def run(services: Services, params: Params, call: Call) -> PinWritten:
    """Raises as `pins.add`, and `ConflictError` for another version."""
    return services.pins().edit(params.pin, params.version, params.text or "", call.actor)


COMMAND = Command(id="pins.edit", title="Edit a pin", params=Params, run=run, writes=True)
