"""`sessions.scan`: which transcripts lie in the agents' folders, without opening any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.transcripts.desk import Scanned


@dataclass(frozen=True, slots=True)
class Params:
    """All agents unless one is named."""

    agent: str = param("Only this agent: an id such as claude-code.", default="", metavar="ID")
    home: str = param("Home directory to look in instead of your own.", default="", metavar="DIR")


@dataclass(frozen=True, slots=True)
class Scan:
    """One entry for each agent that has transcripts."""

    agents: tuple[Scanned, ...]


def run(services: Services, params: Params, call: Call) -> Scan:
    """Raises `UsageError` for an agent whose sessions cannot be read."""
    return Scan(services.sessions(params.home).scan(params.agent, call.progress))


COMMAND = Command(id="sessions.scan", title="Find the agents' transcripts", params=Params, run=run)
