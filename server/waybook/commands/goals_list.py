"""`goals.list`: the goal tree of a thread, run or trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.context.goals import Goal


@dataclass(frozen=True, slots=True)
class Params:
    """Whose goals."""

    owner: str = param("Id of a thread, run or trace.", positional=True)


@dataclass(frozen=True, slots=True)
class GoalList:
    """The goals in order of making. `focus` is the focused one's id or ""; `text` the tree as a model sees it."""

    owner: str
    version: int
    goals: tuple[Goal, ...]
    focus: str
    text: str


def run(services: Services, params: Params, _call: Call) -> GoalList:
    """Raises `NotFoundError` for an id that is no thread, run or trace."""
    from waybook.context.goals import view

    found = services.contexts().goals(params.owner)
    tree = found.tree
    text = view(tree, summaries=True)
    return GoalList(found.owner, found.version, tuple(tree.goals.values()), tree.focus, text)


COMMAND = Command(id="goals.list", title="List goals", params=Params, run=run, actor="agent")
