"""`sessions.import`: bring the agents' sessions into the database, as far as they are new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.transcripts.service import Warned


@dataclass(frozen=True, slots=True)
class Params:
    """All agents unless one is named."""

    agent: str = param("Only this agent: an id such as claude-code.", default="", metavar="ID")
    home: str = param("Home directory to look in instead of your own.", default="", metavar="DIR")


@dataclass(frozen=True, slots=True)
class Imported:
    """What was done. `files` were looked at, `read` of them had something new, `replaced` are other files than before."""

    files: int
    read: int
    new_sessions: int
    new_messages: int
    replaced: tuple[str, ...]
    warnings: tuple[Warned, ...]


def run(services: Services, params: Params, call: Call) -> Imported:
    """Raises `RefusedError` for an agent, `CancelledError` when stopped (what was kept by then stays)."""
    call.actor.require_operator("import sessions")
    done = services.sessions(params.home).bring(params.agent, call.progress)
    if done.new_messages or not services.session_index().fresh():
        services.session_index().update(call.progress)
    return Imported(
        done.files, done.read, done.new_sessions, done.new_messages, tuple(done.replaced), tuple(done.warnings)
    )


COMMAND = Command(id="sessions.import", title="Import the agents' sessions", params=Params, run=run, writes=True)
