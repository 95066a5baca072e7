"""`references.parse`: a prompt as people read it, and the sessions it mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.references.mentions import parse

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.references.mentions import Parsed


@dataclass(frozen=True, slots=True)
class Params:
    """A prompt."""

    text: str = param("The prompt.", default="", metavar="TEXT")


def run(_services: Services, params: Params, _call: Call) -> Parsed:
    """Raises `UsageError` (SESSION_REFERENCE_INVALID_REFERENCE) for a malformed mention. No session is looked up."""
    return parse(params.text)


COMMAND = Command(
    id="references.parse", title="Find the sessions a prompt mentions", params=Params, run=run, actor="agent"
)
