"""`pins.proposals`: proposals to pin, newest first, with their exact text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.pins.model import Proposal


@dataclass(frozen=True, slots=True)
class Params:
    """Those that wait for an answer."""

    thread: str = param("Thread id.", positional=True)
    closed: bool = param("Show answered and expired ones too.", default=False)
    limit: int = param("At most this many (1 to 500).", default=50, metavar="N")


@dataclass(frozen=True, slots=True)
class Proposals:
    """Proposals, newest first."""

    thread_id: str
    proposals: tuple[Proposal, ...]


def run(services: Services, params: Params, _call: Call) -> Proposals:
    """Raises `NotFoundError` for an unknown thread."""
    found = services.proposals().list(params.thread, closed=params.closed, limit=params.limit)
    return Proposals(params.thread, found)


COMMAND = Command(id="pins.proposals", title="List proposals to pin", params=Params, run=run, actor="agent")
