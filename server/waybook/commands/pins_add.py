"""`pins.add`: keep a text in a thread, word for word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.pins.model import PinWritten


@dataclass(frozen=True, slots=True)
class Params:
    """At most 32 pins of 8,192 characters each, 32,768 in all."""

    thread: str = param("Thread id.", positional=True)
    text: str | None = param("The text, kept exactly as it is.", default=None, metavar="TEXT")


def run(services: Services, params: Params, call: Call) -> PinWritten:
    """Raises `UsageError`, `RefusedError` for a secret or a limit, `ConflictError` for a closed thread."""
    return services.pins().add(params.thread, params.text or "", call.actor)


COMMAND = Command(id="pins.add", title="Add a pin", params=Params, run=run, writes=True)
