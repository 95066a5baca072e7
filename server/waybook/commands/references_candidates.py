"""`references.candidates`: sessions that a prompt can mention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.references.candidates import Candidate


@dataclass(frozen=True, slots=True)
class Params:
    """What to look for; everything where nothing is given."""

    query: str = param("Words of the id, the working directory or the title.", default="", positional=True)
    workspace: str = param(
        "Sessions of this directory come first: directory or registered name; default: where you are.",
        default="",
        metavar="DIR",
    )
    session: str = param("The session that asks; it is left out.", default="", metavar="ID")
    limit: int = param("At most this many (1 to 50).", default=20, metavar="N")


@dataclass(frozen=True, slots=True)
class Candidates:
    """Sessions of the same directory first, then of those above and below it, then the others; the latest first."""

    candidates: tuple[Candidate, ...]


def run(services: Services, params: Params, call: Call) -> Candidates:
    """Raises `NotFoundError` for a workspace that is not there, `UsageError` for a limit."""
    call.actor.require_operator("look through other sessions")
    cwd = services.locate(params.workspace).root if params.workspace else services.cwd
    return Candidates(services.references().candidates(params.query, cwd, params.session, params.limit))


COMMAND = Command(id="references.candidates", title="List sessions to mention", params=Params, run=run)
