"""`goals.done`: complete a goal of a thread, run or trace."""

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
    goal: str = param("Goal id, such as 1.2.", positional=True)
    summary: str = param("What came of it.", metavar="TEXT")


def run(services: Services, params: Params, call: Call) -> GoalList:
    """Raises `UsageError`, `NotFoundError`, or `ConflictError` where the tree does not allow it."""
    services.contexts().change_goals(params.owner, "done", call.actor, goal_id=params.goal, text=params.summary)
    return listed(services, Listed(params.owner), call)


COMMAND = Command(id="goals.done", title="Complete a goal", params=Params, run=run, actor="agent", writes=True)
