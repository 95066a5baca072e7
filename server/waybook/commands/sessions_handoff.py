"""`sessions.handoff`: a node as the opening prompt of another agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.continuity.browse.handoff import Handoff

DEFAULT_TOKENS = 12_000


@dataclass(frozen=True, slots=True)
class Params:
    """The node, who takes it over, and how long the prompt may be."""

    node: str = param("Id of a node; a run or session stands for its newest.", positional=True)
    agent: str = param("Who takes over: codex or claude-code.", metavar="ID")
    goal: str = param("What the agent is to do; the run's goal when empty.", default="", metavar="TEXT")
    max_tokens: int = param("At most this many tokens (500 to 200,000).", default=DEFAULT_TOKENS, metavar="N")


def run(services: Services, params: Params, call: Call) -> Handoff:
    """Raises `NotFoundError`, `UsageError`, `RefusedError` for an agent or a goal that does not fit. Stores nothing."""
    call.actor.require_operator("hand a session over")
    counter = services.tokens()
    return services.browse().handoff(params.node, params.agent, params.max_tokens, counter.count, goal=params.goal)


COMMAND = Command(id="sessions.handoff", title="Hand a node to another agent", params=Params, run=run)
