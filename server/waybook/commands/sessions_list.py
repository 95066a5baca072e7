"""`sessions.list`: the sessions of agents, newest first, imported or not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Protocol

from waybook.base.errors import UsageError
from waybook.commands.model import Call, Command, never, param
from waybook.sessions.transcripts.desk import Scope

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.messages.model import Session

MAX_LISTED = 100_000


@dataclass(frozen=True, slots=True)
class Params:
    """All agents and projects unless they are named."""

    agent: str = param("Only this agent: an id such as claude-code.", default="", metavar="ID")
    workspace: str = param("Only sessions that worked in this directory.", default="", metavar="DIR")
    home: str = param("Home directory to look in instead of your own.", default="", metavar="DIR")
    subagents: bool = param("Also list the subagents' sessions.", default=False)
    limit: int = param("At most this many (0: all).", default=0, metavar="N")


@dataclass(frozen=True, slots=True)
class Sessions:
    """Sessions, newest first. `pending` transcripts have something that an import would bring."""

    sessions: tuple[Session, ...]
    pending: int


def run(services: Services, params: Params, call: Call) -> Sessions:
    """Raises `UsageError` for an unknown agent or a bad limit."""
    if not 0 <= params.limit <= MAX_LISTED:
        raise UsageError("A list has 0 (all) or more sessions.", code="bad-limit", limit=MAX_LISTED)
    desk = services.sessions(params.home)
    found = desk.listing(scope(services, params), call.progress, children=params.subagents)
    return Sessions(found.sessions[: params.limit or None], found.pending)


class Narrowed(Protocol):
    """Parameters that say which sessions are meant."""

    @property
    def agent(self) -> str:
        """An agent's id, or empty."""
        ...

    @property
    def workspace(self) -> str:
        """A directory, a registered name, or empty."""
        ...


def scope(services: Services, params: Narrowed) -> Scope:
    """Which sessions are meant: a project need not exist on this machine, so an absolute path is taken as it is."""
    cwd = params.workspace
    if cwd:
        cwd = os.path.normpath(cwd) if PurePath(cwd).is_absolute() else services.locate(cwd).root
    return Scope(params.agent, cwd)


COMMAND = Command(
    id="sessions.list", title="List the sessions of agents", params=Params, run=run, needs_workspace=never
)
