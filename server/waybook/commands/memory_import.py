"""`memory.import`: take an export back, as a whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.commands.model import Call, Command, param
from waybook.memory.export import Imported, drafts, needs_workspace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """Project memories go to one workspace, wherever they came from; what is there already is passed over."""

    document: str = param("The export, as JSON.", cli=False)
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    redact_sensitive: bool = param("Keep texts with their secrets replaced instead of refusing them.", default=False)


def run(services: Services, params: Params, call: Call) -> Imported:
    """Raises `UsageError` for what is no export, and as `memory.create`; then nothing was imported."""
    call.actor.require_operator("import memories")
    workspace = ""
    if needs_workspace(params.document):
        workspace = services.runs().register(services.locate(params.workspace).root).id
    found = drafts(params.document, workspace, redact_sensitive=params.redact_sensitive)
    added, known = services.memory().create_all(found, call.actor)
    return Imported(tuple(memory.id for memory in added), known)


def _needs_workspace(asked: Mapping[str, Any]) -> bool:
    """Only for memories of a project."""
    document = asked.get("document")
    return isinstance(document, str) and needs_workspace(document)


COMMAND = Command(
    id="memory.import", title="Import memories", params=Params, run=run, writes=True, needs_workspace=_needs_workspace
)
