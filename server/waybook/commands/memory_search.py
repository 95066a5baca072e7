"""`memory.search`: memories that hold every word, best first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param, unless
from waybook.memory.owners import visible

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.memory.model import Hits


@dataclass(frozen=True, slots=True)
class Params:
    """Words or parts of words in any script; a phrase stands in double quotes."""

    words: tuple[str, ...] = param("Words, parts of words, or a phrase in double quotes.", positional=True)
    scope: str = param("Only user or only project.", default="", metavar="SCOPE")
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    all: bool = param("Disabled and expired ones as well.", default=False)
    limit: int = param("At most this many (1 to 500).", default=20, metavar="N")
    cursor: str = param("Where the page before ended.", default="", metavar="CURSOR")


def run(services: Services, params: Params, _call: Call) -> Hits:
    """Raises `UsageError` for a query without words, an unknown scope or a cursor of another search."""
    owners = visible(params.scope, services.runs(), lambda: services.locate(params.workspace).root)
    return services.memory_search().search(
        " ".join(params.words), owners, everything=params.all, limit=params.limit, cursor=params.cursor
    )


COMMAND = Command(
    id="memory.search", title="Search memories", params=Params, run=run, needs_workspace=unless(scope="user")
)
