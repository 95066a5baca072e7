"""`notes.list`: notes, newest update first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, never, param
from waybook.sessions.notes.service import NoteFilter

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.notes.model import Note


@dataclass(frozen=True, slots=True)
class Params:
    """Every active note, unless a workspace, thread, run or kind is named."""

    thread: str = param("Only notes of this thread.", default="", metavar="ID")
    run: str = param("Only notes of this run.", default="", metavar="ID")
    kind: str = param("Only notes of this kind.", default="", metavar="KIND")
    workspace: str = param("Only this workspace: directory or registered name.", default="", metavar="DIR")
    archived: bool = param("Show archived notes too.", default=False)
    limit: int = param("At most this many (1 to 500).", default=50, metavar="N")


@dataclass(frozen=True, slots=True)
class Notes:
    """Notes, newest update first."""

    notes: tuple[Note, ...]


def run(services: Services, params: Params, call: Call) -> Notes:
    """For people: an agent reads notes through recall, within its own thread.

    Raises `NotFoundError` for a workspace that is not registered, `UsageError` for an unknown kind.
    """
    call.actor.require_operator("list notes")
    workspace = services.runs().workspace(services.locate(params.workspace).root).id if params.workspace else ""
    chosen = NoteFilter(workspace, params.thread, params.run, params.kind)
    return Notes(services.notes().list(chosen, archived=params.archived, limit=params.limit))


COMMAND = Command(id="notes.list", title="List notes", params=Params, run=run, needs_workspace=never)
