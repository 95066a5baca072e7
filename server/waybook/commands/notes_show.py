"""`notes.show`: one note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.notes.model import Note


@dataclass(frozen=True, slots=True)
class Params:
    """The note."""

    note: str = param("Note id.", positional=True)


def run(services: Services, params: Params, call: Call) -> Note:
    """For people: an agent reads notes through recall, within its own thread. Raises `NotFoundError`."""
    call.actor.require_operator("read a note")
    return services.notes().show(params.note)


COMMAND = Command(id="notes.show", title="Show a note", params=Params, run=run)
