"""`history.search`: what a run may recall, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.recall.model import Results


@dataclass(frozen=True, slots=True)
class Params:
    """A run and what it looks for."""

    run: str = param("The run that recalls.", metavar="ID")
    query: str = param(
        "Words, or a text as it stands; up to 256 characters; empty: the newest.", positional=True, default=""
    )
    limit: int = param("At most this many (1 to 20).", default=20, metavar="N")
    cursor: str = param("Continue: next_cursor of the page before.", default="", metavar="CURSOR")


def run(services: Services, params: Params, _call: Call) -> Results:
    """Raises `UsageError` for a bad query or cursor, `NotFoundError` for an unknown run."""
    return services.recall().search(params.run, params.query, limit=params.limit, cursor=params.cursor)


COMMAND = Command(id="history.search", title="Search a run's history and memory", params=Params, run=run, actor="agent")
