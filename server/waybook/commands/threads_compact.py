"""`threads.compact`: a summary stands for the older messages of a thread or session; the messages stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.compaction.model import Compaction, Started
from waybook.compaction.service import Order

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """What is compacted, and what its summary must not lose."""

    thread: str = param("Thread id, or the id of an imported session.", positional=True)
    focus: str = param("What the summary must keep above all.", default="", metavar="TEXT")
    operation_key: str = param(
        "The key of an earlier call: gives its stored result instead of asking again.", default="", metavar="KEY"
    )
    summariser: str = param(
        "Who summarises: extractive, openai or editor; default: the setting.", default="", metavar="NAME"
    )


def run(services: Services, params: Params, call: Call) -> Compaction:
    """Tells the operation's key first. Raises as `CompactionService.compact` does."""
    call.actor.require_operator("compact a conversation")
    key = params.operation_key or services.ids.new("op")
    call.emit(Started(key))
    call.progress.step(f"compacting, operation {key}")
    service = services.compaction()
    settings = services.settings().settings
    order = Order(
        service.subject(params.thread), key, params.focus, settings.compaction_window, settings.compaction_keep
    )
    return service.compact(order, services.summariser(params.summariser), call.actor, call.progress)


COMMAND = Command(
    id="threads.compact",
    title="Compact a thread",
    params=Params,
    run=run,
    writes=True,
    exit_code=lambda result: int(result.state != "done"),
)
