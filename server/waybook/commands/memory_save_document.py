"""`memory.save_document`: save an opened memory as its next version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.base.errors import UsageError
from waybook.commands.memory_read_document import Params as Address
from waybook.commands.memory_read_document import run as read
from waybook.commands.model import Call, Command, param
from waybook.memory.document import Document, change, parse, render
from waybook.memory.service import require_version

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """The address, the whole document as edited, and the version that was opened."""

    uri: str = param("The document's address.", positional=True)
    text: str | None = param("The whole document.", default=None, metavar="TEXT")
    version: int = param("The version that was opened; without it the document's own counts.", default=0, metavar="N")
    redact_sensitive: bool = param("Keep the text with its secrets replaced instead of refusing it.", default=False)


@dataclass(frozen=True, slots=True)
class Saved:
    """The document as it is now. `unchanged`: it said what was kept already, and no version was written.

    `erasure` is as in every write.
    """

    document: Document
    unchanged: bool
    erasure: str

    def to_json(self) -> dict[str, Any]:
        """The document's fields with `unchanged` and `erasure`."""
        from waybook.base.records import to_json

        body: dict[str, Any] = to_json(self.document)
        return {**body, "unchanged": self.unchanged, "erasure": self.erasure}


def run(services: Services, params: Params, call: Call) -> Saved:
    """Raises `ConflictError` when another version is current, `UsageError` for a document that cannot be read."""
    call.actor.require_operator("edit a memory")
    parsed = parse(params.text or "")
    version = params.version or parsed.version
    if version is None:
        raise UsageError(
            "The version is missing.", code="bad-document", hint="Open the memory again; nothing was saved."
        )
    memory = read(services, Address(params.uri), call).memory
    require_version(memory, version)
    if parsed.version is not None:
        require_version(memory, parsed.version)
    wanted = change(memory, parsed, redact_sensitive=params.redact_sensitive)
    if wanted.is_empty:
        return Saved(render(memory), unchanged=True, erasure="done")
    written = services.memory().edit(memory.id, version, wanted, call.actor)
    return Saved(render(written.memory), unchanged=False, erasure=written.erasure)


COMMAND = Command(id="memory.save_document", title="Save a memory's document", params=Params, run=run, writes=True)
