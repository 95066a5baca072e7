"""`context.audit`: what past calls were sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.context.audit import AuditRecord


@dataclass(frozen=True, slots=True)
class Params:
    """Whose calls, and which."""

    trace: str = param("Trace id.", positional=True, default="")
    run: str = param("The run.", default="", metavar="ID")
    thread: str = param("The thread.", default="", metavar="ID")
    call: int = param("That call alone, from 1; 0: the newest ones.", default=0, metavar="N")
    limit: int = param("At most this many (1 to 500).", default=20, metavar="N")


@dataclass(frozen=True, slots=True)
class Audits:
    """Calls, newest first: what each was sent and what was left out."""

    calls: tuple[AuditRecord, ...]


def run(services: Services, params: Params, _call: Call) -> Audits:
    """Raises `UsageError` for no subject or a bad limit."""
    from waybook.context.audit import Subject

    if not (params.trace or params.run or params.thread):
        raise UsageError("Whose calls?", code="no-subject", hint="Name a trace, a run or a thread.")
    subject = Subject(params.trace, params.run, params.thread)
    return Audits(services.contexts().audits(subject, call=params.call, limit=params.limit))


COMMAND = Command(id="context.audit", title="Show what past calls were sent", params=Params, run=run, actor="agent")
