"""`notes.add`: write a note: a decision, a summary or the like, with its sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param, unless
from waybook.sessions.notes.model import NoteDraft

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.notes.model import Note


@dataclass(frozen=True, slots=True)
class Params:
    """A note of a thread, of a run (and its thread), or of the workspace alone."""

    title: str = param("The note in one line, 1 to 256 bytes.", metavar="TEXT")
    content: str | None = param("The note, at most 16 KiB.", default=None, metavar="TEXT")
    kind: str = param("decision, summary, finding, question, plan or other.", default="decision", metavar="KIND")
    thread: str = param("The thread it belongs to.", default="", metavar="ID")
    run: str = param("The run it comes from.", default="", metavar="ID")
    workspace: str = param("Workspace directory or registered name.", default="", metavar="DIR")
    source_ref: str = param("Where the text comes from, at most 512 bytes.", default="", metavar="REF")
    evidence: tuple[str, ...] = param("What supports it; may be given several times.", default=(), metavar="REF")
    visibility: str = param(
        "root: for the thread's main agent; specialist: for the run's sub-agent only.", default="root", metavar="WHO"
    )
    redact_sensitive: bool = param("Keep the note with its secrets replaced instead of refusing it.", default=False)


def run(services: Services, params: Params, call: Call) -> Note:
    """Raises `UsageError`, `RefusedError` for secrets and sensitive references, `NotFoundError`, `ConflictError`."""
    workspace = ""
    if not (params.thread or params.run):
        workspace = services.runs().register(services.locate(params.workspace).root).id
    draft = NoteDraft(
        kind=params.kind,
        title=params.title,
        content=params.content or "",
        thread_id=params.thread,
        run_id=params.run,
        source_ref=params.source_ref,
        evidence=params.evidence,
        visibility=params.visibility,
    )
    return services.notes().add(workspace, draft, call.actor, redact_sensitive=params.redact_sensitive)


COMMAND = Command(
    id="notes.add",
    title="Add a note",
    params=Params,
    run=run,
    actor="agent",
    writes=True,
    needs_workspace=unless("thread", "run"),
)
