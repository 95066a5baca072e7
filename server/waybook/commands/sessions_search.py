"""`sessions.search`: where imported sessions hold a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.commands.sessions_list import scope

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.messages.model import Found


@dataclass(frozen=True, slots=True)
class Params:
    """What is looked for, and where."""

    query: str = param("Text to look for; ASCII letters match in any case.", positional=True)
    agent: str = param("Only this agent: an id such as claude-code.", default="", metavar="ID")
    workspace: str = param("Only sessions that worked in this directory.", default="", metavar="DIR")
    home: str = param("Only sessions that were read below this home directory.", default="", metavar="DIR")
    limit: int = param("At most this many places (1 to 500).", default=20, metavar="N")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the text stands, newest first. `pending` transcripts were not searched: they are not imported yet."""

    query: str
    found: tuple[Found, ...]
    pending: int


def run(services: Services, params: Params, call: Call) -> Places:
    """Raises `UsageError` for an empty or too long query."""
    desk = services.sessions(params.home)
    found = desk.search(params.query, scope(services, params), params.limit)
    pending = sum(item.pending for item in desk.scan(params.agent, call.progress))
    return Places(params.query, found, pending)


COMMAND = Command(id="sessions.search", title="Search the sessions of agents", params=Params, run=run)
