"""`goals.add`: add a goal of a thread, run or trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.goals_list import GoalList
from waybook.commands.goals_list import Params as Listed
from waybook.commands.goals_list import run as listed
from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """Whose goal, and which."""

    owner: str = param("Id of a thread, run or trace.", positional=True)
    title: str = param("What is to be reached, in a line.", positional=True)
    under: str = param("The goal it belongs below.", default="", metavar="GOAL")


def run(services: Services, params: Params, call: Call) -> GoalList:
    """Raises `UsageError`, `NotFoundError`, or `ConflictError` where the tree does not allow it."""
    services.contexts().change_goals(params.owner, "add", call.actor, text=params.title, under=params.under)
    return listed(services, Listed(params.owner), call)


COMMAND = Command(id="goals.add", title="Add a goal", params=Params, run=run, actor="agent", writes=True)
