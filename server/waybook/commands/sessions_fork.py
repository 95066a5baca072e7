"""`sessions.fork`: another run from a stored node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.continuity.branches.service import Branch


@dataclass(frozen=True, slots=True)
class Params:
    """The node, and what the new run is for."""

    node: str = param("Id of a stored node.", positional=True)
    goal: str = param("What the new run is to achieve; the node's own goal when empty.", default="", metavar="TEXT")
    title: str = param("A name for the new branch.", default="", metavar="TEXT")
    thread: str = param("The thread whose next run this is.", default="", metavar="ID")


def run(services: Services, params: Params, call: Call) -> Branch:
    """Raises `NotFoundError`, `RefusedError` for what is only shown or for an agent; then nothing was written."""
    call.actor.require_operator("fork a run")
    return services.continuity().fork(
        params.node, call.actor, goal=params.goal, title=params.title, thread=params.thread
    )


COMMAND = Command(id="sessions.fork", title="Begin another run from a node", params=Params, run=run, writes=True)
