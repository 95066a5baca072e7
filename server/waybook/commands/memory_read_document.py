"""`memory.read_document`: a memory as a document that an editor opens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param
from waybook.memory.document import Document, parse_uri, render
from waybook.memory.service import missing

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """The document's address."""

    uri: str = param("waybook-memory:/user/ID.md or waybook-memory:/project/ID.md.", positional=True)


def run(services: Services, params: Params, _call: Call) -> Document:
    """Raises `UsageError` for an address that cannot be meant, `NotFoundError` for an unknown one."""
    scope, memory_id = parse_uri(params.uri)
    memory = services.memory().show(memory_id)
    if memory.scope is not scope:
        raise missing(memory_id)
    return render(memory)


COMMAND = Command(id="memory.read_document", title="Open a memory as a document", params=Params, run=run)
