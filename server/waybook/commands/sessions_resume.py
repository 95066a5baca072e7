"""`sessions.resume`: go on from a stored node in a new run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.continuity.branches.service import Branch


@dataclass(frozen=True, slots=True)
class Params:
    """The node."""

    node: str = param("Id of a stored node.", positional=True)
    title: str = param("A name for the new branch.", default="", metavar="TEXT")
    thread: str = param("The thread whose next run this is.", default="", metavar="ID")


def run(services: Services, params: Params, call: Call) -> Branch:
    """Raises `NotFoundError`, `RefusedError` for what is only shown or for an agent; then nothing was written."""
    call.actor.require_operator("resume a run")
    return services.continuity().resume(params.node, call.actor, title=params.title, thread=params.thread)


COMMAND = Command(id="sessions.resume", title="Go on from a node in a new run", params=Params, run=run, writes=True)
