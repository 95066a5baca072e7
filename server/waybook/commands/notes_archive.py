"""`notes.archive`: take a note out of use for good; its text stays readable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.notes.model import Note


@dataclass(frozen=True, slots=True)
class Params:
    """The note, as it was seen; an agent archives only notes of its own."""

    note: str = param("Note id.", positional=True)
    version: int = param("The version you saw; another one is a conflict.", metavar="N")


def run(services: Services, params: Params, call: Call) -> Note:
    """Raises `NotFoundError`, or `ConflictError` for another version and for an archived note."""
    return services.notes().archive(params.note, params.version, call.actor)


COMMAND = Command(id="notes.archive", title="Archive a note", params=Params, run=run, actor="agent", writes=True)
