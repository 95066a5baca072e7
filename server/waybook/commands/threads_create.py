"""`threads.create`: open a thread, a lasting conversation in a workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.threads.model import Thread


@dataclass(frozen=True, slots=True)
class Params:
    """The workspace is registered on first use."""

    title: str = param("What the thread is about.", metavar="TEXT")
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")


def run(services: Services, params: Params, call: Call) -> Thread:
    """Raises `UsageError` for a bad title, `RefusedError` for a secret in it."""
    call.actor.require_operator("open a thread")
    workspace = services.runs().register(services.locate(params.workspace).root)
    return services.threads().create(workspace, params.title, call.actor)


COMMAND = Command(id="threads.create", title="Open a thread", params=Params, run=run, writes=True)
