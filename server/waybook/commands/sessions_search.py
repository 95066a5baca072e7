"""`sessions.search`: where imported sessions hold a text."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, never, param
from waybook.commands.sessions_list import scope
from waybook.recall.index.repository import Where
from waybook.sessions.messages.service import require_search

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.messages.model import Found


@dataclass(frozen=True, slots=True)
class Params:
    """What is looked for, and where."""

    query: str = param("Text to look for; ASCII letters match in any case.", positional=True)
    agent: str = param("Only this agent: an id such as claude-code.", default="", metavar="ID")
    workspace: str = param("Only sessions that worked in this directory.", default="", metavar="DIR")
    home: str = param("Only sessions that were read below this home directory.", default="", metavar="DIR")
    limit: int = param("At most this many places (1 to 500).", default=20, metavar="N")
    index: bool = param("Bring the search index up to date first.", default=False)


@dataclass(frozen=True, slots=True)
class Places:
    """Where the text stands, newest first. `pending` transcripts were not searched: they are not imported yet.

    `indexed`: the index answered; else everything was read, because the index is not fresh or the query too short for it.
    """

    query: str
    found: tuple[Found, ...]
    pending: int
    indexed: bool = False


def run(services: Services, params: Params, call: Call) -> Places:
    """Raises `UsageError` for an empty or too long query."""
    desk = services.sessions(params.home)
    where = scope(services, params)
    index = services.session_index()
    if params.index:
        index.update(call.progress)
    below = os.path.abspath(os.path.join(services.cwd, params.home)) if params.home else ""  # noqa: PTH100, PTH118 - as typed
    require_search(params.query, params.limit)
    found = index.search(params.query, Where(where.agent, below, where.cwd), params.limit)
    indexed = found is not None
    if found is None:
        found = desk.search(params.query, where, params.limit)
    pending = sum(item.pending for item in desk.scan(params.agent, call.progress))
    return Places(params.query, found, pending, indexed)


COMMAND = Command(
    id="sessions.search", title="Search the sessions of agents", params=Params, run=run, needs_workspace=never
)
