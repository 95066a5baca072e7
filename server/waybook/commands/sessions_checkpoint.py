"""`sessions.checkpoint`: keep where a run or session stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, never, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.continuity.model import Node


@dataclass(frozen=True, slots=True)
class Params:
    """A run, or a session of any agent that was imported."""

    name: str = param("Id of a run or of a session, or the beginning of a session's.", positional=True)
    title: str = param("What this point is, in one line.", default="", metavar="TEXT")
    summary: str = param("What is done and what comes next.", default="", metavar="TEXT")
    mode: str = param("Kind of work: research, plan, code or review; as before when empty.", default="", metavar="KIND")
    budget_tokens: int = param("Tokens that the task may take; as before when 0.", default=0, metavar="N")
    workspace: str = param("Workspace of a session whose own directory is unknown.", default="", metavar="DIR")


def run(services: Services, params: Params, call: Call) -> Node:
    """Raises `NotFoundError`, `UsageError`, or `RefusedError` for an agent; then nothing was written."""
    call.actor.require_operator("make a checkpoint")
    root = services.locate(params.workspace).root if params.workspace else ""
    return services.continuity().checkpoint(
        params.name,
        call.actor,
        title=params.title,
        summary=params.summary,
        mode=params.mode,
        budget_tokens=params.budget_tokens,
        root=root,
    )


COMMAND = Command(
    id="sessions.checkpoint",
    title="Keep where a run or session stands",
    params=Params,
    run=run,
    writes=True,
    needs_workspace=never,
)
