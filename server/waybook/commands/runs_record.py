"""`runs.record`: record that a reply ended, a delivery checkpoint was taken, or a delivery report passed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.sessions.progress.service import parse_completion

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.progress.model import Completion


@dataclass(frozen=True, slots=True)
class Params:
    """Of a run, or of a thread for what belongs to no run. The same reference again changes nothing."""

    kind: str = param("thread_reply, delivery_checkpoint or delivery_report_passed.", positional=True)
    reference: str = param("The message, checkpoint or report, as its owner names it.", metavar="REF")
    run: str = param("The run it belongs to.", default="", metavar="ID")
    thread: str = param("The thread it belongs to, without a run.", default="", metavar="ID")


def run(services: Services, params: Params, call: Call) -> Completion:
    """Raises `UsageError`, `NotFoundError`, or `ConflictError` for a closed thread."""
    return services.progress().record(
        parse_completion(params.kind),
        call.actor,
        run_id=params.run,
        thread_id=params.thread,
        reference=params.reference,
    )


COMMAND = Command(id="runs.record", title="Record a completion", params=Params, run=run, actor="agent", writes=True)
