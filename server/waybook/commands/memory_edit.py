"""`memory.edit`: write a memory's next version; the replaced text is erased."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.memory.model import Change

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.memory.model import Written


@dataclass(frozen=True, slots=True)
class Params:
    """What is not given stays as it is."""

    memory: str = param("Memory id.", positional=True)
    version: int = param("The version you saw; another one is a conflict.", metavar="N")
    title: str | None = param("The new title.", default=None, metavar="TEXT")
    content: str | None = param("The new text.", default=None, metavar="TEXT")
    reference: tuple[str, ...] = param("The new references, in place of all there are.", default=(), metavar="REF")
    no_references: bool = param("Take all references away.", default=False)
    source_ref: str | None = param("The new source reference; empty takes it away.", default=None, metavar="REF")
    retention: str | None = param("How long it counts from now: 720h, 30d, a time, none.", default=None, metavar="SPAN")
    redact_sensitive: bool = param("Keep the text with its secrets replaced instead of refusing it.", default=False)


def run(services: Services, params: Params, call: Call) -> Written:
    """Raises `ConflictError` for another version, `NotFoundError`, and as `memory.create`."""
    change = Change(
        title=params.title,
        content=params.content,
        source_ref=params.source_ref,
        references=params.reference if params.reference or params.no_references else None,
        retention=params.retention,
        redact_sensitive=params.redact_sensitive,
    )
    return services.memory().edit(params.memory, params.version, change, call.actor)


COMMAND = Command(id="memory.edit", title="Edit a memory", params=Params, run=run, writes=True)
