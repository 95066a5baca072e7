"""`notes.edit`: write a note's next version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.sessions.notes.model import NoteChange

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.notes.model import Note


@dataclass(frozen=True, slots=True)
class Params:
    """What is not given stays as it is; an agent edits only notes of its own."""

    note: str = param("Note id.", positional=True)
    version: int = param("The version you saw; another one is a conflict.", metavar="N")
    title: str | None = param("The new title.", default=None, metavar="TEXT")
    content: str | None = param("The new text.", default=None, metavar="TEXT")
    source_ref: str | None = param("The new source reference; empty takes it away.", default=None, metavar="REF")
    evidence: tuple[str, ...] = param("The new evidence, in place of all there is.", default=(), metavar="REF")
    no_evidence: bool = param("Take all evidence away.", default=False)
    visibility: str | None = param("root or specialist.", default=None, metavar="WHO")
    redact_sensitive: bool = param("Replace secrets in the new text instead of refusing it.", default=False)


def run(services: Services, params: Params, call: Call) -> Note:
    """Raises as `notes.add`, and `ConflictError` for another version or an archived note."""
    change = NoteChange(
        title=params.title,
        content=params.content,
        source_ref=params.source_ref,
        evidence=params.evidence if params.evidence or params.no_evidence else None,
        visibility=params.visibility,
    )
    return services.notes().edit(
        params.note, params.version, change, call.actor, redact_sensitive=params.redact_sensitive
    )


COMMAND = Command(id="notes.edit", title="Edit a note", params=Params, run=run, actor="agent", writes=True)
