"""`history.read`: a page of what history.search found."""

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
    """A handle, and which page of its text."""

    run: str = param("The run that recalls.", metavar="ID")
    handle: str = param("A handle from history.search.", positional=True)
    offset: int = param("Where the page begins, in bytes: next_offset of the page before.", default=0, metavar="N")
    max_bytes: int = param("Bytes of the page (up to 8192); 0 means 4096.", default=0, metavar="N")
    content_sha256: str = param("The content's hash; required after the first page.", default="", metavar="SHA")


def run(services: Services, params: Params, _call: Call) -> Page:
    """Raises `ConflictError` where it changed, `NotFoundError` where it is not available any more."""
    wish = Wish(params.offset, params.max_bytes, params.content_sha256)
    return services.recall().read(params.run, params.handle, wish)


COMMAND = Command(
    id="history.read", title="Read what a search of the history found", params=Params, run=run, actor="agent"
)
