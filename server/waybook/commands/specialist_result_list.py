"""`specialist_result.list`: the finished tool results of a sub-agent as short receipts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.recall.model import Receipts


@dataclass(frozen=True, slots=True)
class Params:
    """An attempt of a sub-agent."""

    run: str = param("The run.", metavar="ID")
    agent: str = param("The sub-agent: the id of its session.", metavar="ID")
    attempt: int = param("Which attempt, from 1.", default=1, metavar="N")


def run(services: Services, params: Params, _call: Call) -> Receipts:
    """Raises `NotFoundError`."""
    return services.specialist_results().list(params.run, params.agent, params.attempt)


COMMAND = Command(
    id="specialist_result.list", title="List a sub-agent's finished results", params=Params, run=run, actor="agent"
)
