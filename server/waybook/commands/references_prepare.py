"""`references.prepare`: a prompt with the sessions it mentions, as one message for a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.references.prepare import Bounds

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.references.model import Prepared


@dataclass(frozen=True, slots=True)
class Params:
    """A prompt, the session it is meant for, and how much may be taken in."""

    text: str = param("The prompt.", default="", metavar="TEXT")
    session: str = param("The session the prompt is meant for; it cannot mention itself.", default="", metavar="ID")
    max_references: int = param("At most this many sessions (1 to 3).", default=3, metavar="N")
    max_bytes: int = param("At most this many UTF-8 bytes of each session.", default=65_536, metavar="N")
    timeout: int = param("Give up reading after this many seconds.", default=30, metavar="SECONDS")


def run(services: Services, params: Params, call: Call) -> Prepared:
    """The whole message or an error whose code begins with SESSION_REFERENCE_; nothing is stored."""
    call.actor.require_operator("take other sessions into a prompt")
    bounds = Bounds(params.max_references, params.max_bytes, params.timeout)
    return services.references().prepare(params.text, params.session, call.progress, bounds)


COMMAND = Command(
    id="references.prepare", title="Prepare a prompt with the sessions it mentions", params=Params, run=run
)
