"""`pins.list`: what a thread always keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.pins.model import Pins


@dataclass(frozen=True, slots=True)
class Params:
    """The thread."""

    thread: str = param("Thread id.", positional=True)


def run(services: Services, params: Params, _call: Call) -> Pins:
    """Raises `NotFoundError` for an unknown thread."""
    return services.pins().list(params.thread)


COMMAND = Command(id="pins.list", title="List pins", params=Params, run=run, actor="agent")
