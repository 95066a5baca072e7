"""`pins.propose`: propose a text for the pins of a thread; a person answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.pins.model import Proposal


@dataclass(frozen=True, slots=True)
class Params:
    """A thread, or a run of it. The same text again in the same run is the same proposal."""

    thread: str = param("Thread id.", positional=True, default="")
    run: str = param("The run that proposes it.", default="", metavar="ID")
    text: str | None = param("The text, shown and kept exactly as it is.", default=None, metavar="TEXT")


def run(services: Services, params: Params, call: Call) -> Proposal:
    """Raises `UsageError`, `RefusedError` for a secret or a limit, `ConflictError` for a closed thread."""
    return services.proposals().propose(params.text or "", call.actor, thread_id=params.thread, run_id=params.run)


COMMAND = Command(id="pins.propose", title="Propose a pin", params=Params, run=run, actor="agent", writes=True)
