"""`candidates.show`: one candidate with its source, or what is left of a reviewed one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.memory.candidates.model import Candidate


@dataclass(frozen=True, slots=True)
class Params:
    """The candidate."""

    candidate: str = param("Candidate id.", positional=True)


def run(services: Services, params: Params, call: Call) -> Candidate:
    """Raises `NotFoundError` for an unknown id."""
    return services.candidates().show(params.candidate, call.actor)


COMMAND = Command(id="candidates.show", title="Show a candidate for memory", params=Params, run=run)
