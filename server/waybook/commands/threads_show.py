"""`threads.show`: one thread and its chain of runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.threads.model import ChainedRun, Thread


@dataclass(frozen=True, slots=True)
class Params:
    """The thread."""

    thread: str = param("Thread id.", positional=True)


@dataclass(frozen=True, slots=True)
class ShownThread:
    """A thread and its runs, oldest first: each is the successor of the one before."""

    thread: Thread
    chain: tuple[ChainedRun, ...]


def run(services: Services, params: Params, _call: Call) -> ShownThread:
    """Raises `NotFoundError` for an unknown id."""
    return ShownThread(*services.threads().show(params.thread))


COMMAND = Command(id="threads.show", title="Show a thread", params=Params, run=run, actor="agent")
