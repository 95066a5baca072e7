"""`candidates.confirm`: keep a candidate as project memory, exactly as it was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.memory.candidates.model import Review

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.memory.candidates.model import Decision


@dataclass(frozen=True, slots=True)
class Params:
    """What was read. Confirming the same again changes nothing."""

    candidate: str = param("Candidate id.", positional=True)
    version: int = param("The version of the candidate that you read.", metavar="N")
    fingerprint: str = param("The fingerprint of the candidate that you read.", metavar="SHA256")
    note_version: int = param("The version of its note that you read.", metavar="N")
    confirm: bool = param("Say that you read it and that it holds.", default=False)


def run(services: Services, params: Params, call: Call) -> Decision:
    """Raises `ConflictError` when the candidate or its note has moved on; then nothing was written."""
    review = Review(params.version, params.fingerprint, params.note_version)
    return services.candidates().confirm(params.candidate, review, call.actor, confirm=params.confirm)


COMMAND = Command(id="candidates.confirm", title="Confirm a candidate for memory", params=Params, run=run, writes=True)
