"""One store with the services above it, a workspace, and shortcuts to threads, runs and notes in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from store.helpers import AGENT, OPERATOR, keep, snapshot
from waybook.memory.candidates.service import CandidateService
from waybook.memory.service import MemoryService
from waybook.pins.proposals import ProposalService
from waybook.pins.service import PinService
from waybook.sessions.model import RunState
from waybook.sessions.notes.model import NoteDraft
from waybook.sessions.notes.service import NoteService
from waybook.sessions.progress.model import CompletionKind
from waybook.sessions.progress.service import ProgressService
from waybook.sessions.service import RunService
from waybook.sessions.threads.service import ThreadService

if TYPE_CHECKING:
    from waybook.sessions.model import Run
    from waybook.sessions.notes.model import Note
    from waybook.store.store import Store

RULES = snapshot({"AGENTS.md": "root\n"})
__all__ = ["AGENT", "OPERATOR", "CompletionKind", "RunState", "World"]


class World:
    """Everything at one store; `workspace` is /a/app."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.runs = RunService(store, mask=keep)
        self.threads = ThreadService(store)
        self.notes = NoteService(store)
        self.progress = ProgressService(store)
        self.memories = MemoryService(store)
        self.candidates = CandidateService(store, self.memories)
        self.pins = PinService(store)
        self.proposals = ProposalService(store)
        self.workspace = self.runs.register("/a/app")

    def thread(self, title: str = "Parser rewrite") -> str:
        return self.threads.create(self.workspace, title, OPERATOR).id

    def run(self, thread: str = "", workspace: str = "/a/app") -> Run:
        return self.runs.create_run(workspace, "goal", "code", ".", RULES, OPERATOR, thread=thread)

    def complete(self, run_id: str) -> None:
        self.progress.move(run_id, RunState.RUNNING, OPERATOR)
        self.progress.move(run_id, RunState.COMPLETED, OPERATOR)

    def note(self, content: str = "Use tabs everywhere.", *, actor: Any = OPERATOR, **fields: Any) -> Note:
        given = {"kind": "decision", "title": "Use tabs", "evidence": ("docs/style.md",), **fields}
        return self.notes.add(self.workspace.id, NoteDraft(content=content, **given), actor)

    def scalar(self, query: str) -> Any:
        with self.store.read() as connection:
            return connection.exec_driver_sql(query).scalar_one()
