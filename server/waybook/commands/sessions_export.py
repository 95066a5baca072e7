"""`sessions.export`: whole conversations, one after the other, for another program or for keeping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, never, param
from waybook.commands.sessions_list import scope

if TYPE_CHECKING:
    from waybook.commands.services import Services

PROTOCOL = "waybook.conversation/v1"


@dataclass(frozen=True, slots=True)
class Params:
    """The sessions: those that are named, else all that the options leave, subagents included."""

    session: tuple[str, ...] = param("Ids of sessions.", default=(), positional=True)
    agent: str = param("Only this agent: an id such as claude-code.", default="", metavar="ID")
    workspace: str = param("Only sessions that worked in this directory.", default="", metavar="DIR")
    home: str = param("Home directory to look in instead of your own.", default="", metavar="DIR")


@dataclass(frozen=True, slots=True)
class Exported:
    """How many conversations were handed over (to `call.emit`, one by one)."""

    protocol: str
    conversations: int


def run(services: Services, params: Params, call: Call) -> Exported:
    """Emits a `Conversation` for each session. Raises `RefusedError` for an agent, `NotFoundError`, `UsageError`."""
    call.actor.require_operator("export sessions")
    desk = services.sessions(params.home)
    wanted = params.session
    if not wanted:
        listed = desk.listing(scope(services, params), call.progress, children=True)
        wanted = tuple(session.id for session in listed.sessions)
    for number, name in enumerate(wanted):
        call.progress.step("exporting sessions", number, len(wanted))
        call.emit(desk.conversation(name, params.agent, services.environ, call.progress))
    return Exported(PROTOCOL, len(wanted))


COMMAND = Command(id="sessions.export", title="Export sessions", params=Params, run=run, needs_workspace=never)
