"""`pins.answer`: answer a proposal: keep it, not now, or a reply of your own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.pins.rules import parse_choice

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.pins.model import Answered


@dataclass(frozen=True, slots=True)
class Params:
    """The same answer again changes nothing; another one is a conflict."""

    proposal: str = param("Proposal id.", positional=True)
    choice: str = param(
        "keep: pin exactly its text; only_now: pin nothing; custom: answer with your own reply.", positional=True
    )
    reply: str | None = param("Your reply, with custom.", default=None, metavar="TEXT")
    pin_reply: bool = param("Pin that reply.", default=False)


def run(services: Services, params: Params, call: Call) -> Answered:
    """Raises `UsageError`, `RefusedError` for a secret or full pins, `ConflictError` when answered or expired."""
    return services.proposals().answer(
        params.proposal,
        parse_choice(params.choice),
        call.actor,
        reply=params.reply or "",
        pin_reply=params.pin_reply,
    )


COMMAND = Command(id="pins.answer", title="Answer a proposal to pin", params=Params, run=run, writes=True)
