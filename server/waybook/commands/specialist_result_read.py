"""`specialist_result.read`: a page of a sub-agent's finished tool result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.recall.pages import Wish

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.recall.model import Page


@dataclass(frozen=True, slots=True)
class Params:
    """A handle within its attempt, and which page of its text."""

    run: str = param("The run.", metavar="ID")
    agent: str = param("The sub-agent: the id of its session.", metavar="ID")
    handle: str = param("A handle from specialist_result.list.", positional=True)
    attempt: int = param("Which attempt, from 1.", default=1, metavar="N")
    offset: int = param("Where the page begins, in bytes: next_offset of the page before.", default=0, metavar="N")
    max_bytes: int = param("Bytes of the page (up to 8192); 0 means 4096.", default=0, metavar="N")
    content_sha256: str = param("The content's hash; required after the first page.", default="", metavar="SHA")


def run(services: Services, params: Params, _call: Call) -> Page:
    """Raises `ConflictError` where it changed, `NotFoundError`, `RefusedError` for another attempt's handle."""
    wish = Wish(params.offset, params.max_bytes, params.content_sha256)
    return services.specialist_results().read(params.run, params.agent, params.attempt, params.handle, wish)


COMMAND = Command(
    id="specialist_result.read", title="Read a sub-agent's finished result", params=Params, run=run, actor="agent"
)
