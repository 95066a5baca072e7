"""`candidates.reject`: drop a candidate for good, exactly as it was read."""

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
    """What was read. Rejecting the same again changes nothing."""

    candidate: str = param("Candidate id.", positional=True)
    version: int = param("The version of the candidate that you read.", metavar="N")
    fingerprint: str = param("The fingerprint of the candidate that you read.", metavar="SHA256")
    note_version: int = param("The version of its note that you read.", metavar="N")


def run(services: Services, params: Params, call: Call) -> Decision:
    """Raises `ConflictError` when the candidate or its note has moved on; then nothing was written."""
    review = Review(params.version, params.fingerprint, params.note_version)
    return services.candidates().reject(params.candidate, review, call.actor)


COMMAND = Command(id="candidates.reject", title="Reject a candidate for memory", params=Params, run=run, writes=True)
