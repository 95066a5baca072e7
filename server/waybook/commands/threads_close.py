"""`threads.close`: close a thread for good; open proposals to pin expire with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.threads.model import Thread


@dataclass(frozen=True, slots=True)
class Params:
    """The thread, as it was seen."""

    thread: str = param("Thread id.", positional=True)
    version: int = param("The version you saw; another one is a conflict.", metavar="N")


def run(services: Services, params: Params, call: Call) -> Thread:
    """Raises `NotFoundError`, or `ConflictError` for another version and for a closed thread."""
    return services.threads().close(params.thread, params.version, call.actor)


COMMAND = Command(id="threads.close", title="Close a thread", params=Params, run=run, writes=True)
