"""`memory.create`: keep something for the long term, about oneself or a project."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param, unless
from waybook.memory.model import Draft, Scope, Written
from waybook.memory.rules import known_scope

if TYPE_CHECKING:
    from waybook.commands.services import Services


@dataclass(frozen=True, slots=True)
class Params:
    """A new memory."""

    title: str = param("The memory in one line, 1 to 256 bytes.", metavar="TEXT")
    content: str | None = param("The memory, 1 byte to 16 KiB.", default=None, metavar="TEXT")
    scope: str = param("project: for one workspace; user: for you everywhere.", default="project", metavar="SCOPE")
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    reference: tuple[str, ...] = param("What it rests on; may be given several times.", default=(), metavar="REF")
    source_ref: str = param("Where the text comes from, at most 512 bytes.", default="", metavar="REF")
    retention: str = param("How long it counts: 720h, 30d, a time; empty for ever.", default="", metavar="SPAN")
    redact_sensitive: bool = param("Keep the text with its secrets replaced instead of refusing it.", default=False)


def run(services: Services, params: Params, call: Call) -> Written:
    """Raises `UsageError` for a broken limit, `RefusedError` for a secret, a sensitive place or an agent."""
    call.actor.require_operator("keep a memory")
    workspace = ""
    if known_scope(params.scope) is Scope.PROJECT:
        workspace = services.runs().register(services.locate(params.workspace).root).id
    draft = Draft(
        scope=params.scope,
        scope_id=workspace,
        title=params.title,
        content=params.content or "",
        source_ref=params.source_ref,
        references=params.reference,
        retention=params.retention,
        redact_sensitive=params.redact_sensitive,
    )
    return Written(services.memory().create(draft, call.actor))


COMMAND = Command(
    id="memory.create", title="Keep a memory", params=Params, run=run, writes=True, needs_workspace=unless(scope="user")
)
