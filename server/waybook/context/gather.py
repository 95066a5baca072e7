"""Everything that may enter a call of a thread, run, session or target, read anew each time it is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from waybook.base.errors import NotFoundError
from waybook.compaction.model import Subject
from waybook.compaction.repository import rows
from waybook.context import sources
from waybook.context.goals import GoalTree
from waybook.continuity.repository import newest_node
from waybook.continuity.subjects import session_of_run
from waybook.memory.model import USER_SCOPE_ID, Scope
from waybook.sessions.notes.service import NoteFilter

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.compaction.service import CompactionService
    from waybook.context.budget import Part
    from waybook.context.model import Message
    from waybook.context.service import ContextService
    from waybook.instructions.ledger import LedgerService
    from waybook.instructions.model import Snapshot
    from waybook.memory.service import MemoryService
    from waybook.pins.service import PinService
    from waybook.sessions.messages.model import Conversation
    from waybook.sessions.notes.service import NoteService
    from waybook.sessions.service import RunService
    from waybook.sessions.threads.service import ThreadService
    from waybook.store.store import Store

MAX_NOTES = 50
"""Notes of a thread that are offered to a call, the newest."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What a call is about. `root` and `target` say where the instructions are read unless a run pins them."""

    root: str
    target: str = "."
    thread_id: str = ""
    run_id: str = ""
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What may enter a call: required parts, memories in their order, notes, and the conversation so far."""

    required: tuple[Part, ...]
    memories: tuple[Part, ...]
    notes: tuple[Part, ...]
    path: tuple[Message, ...] = ()
    tree: GoalTree = field(default_factory=GoalTree)


@dataclass(frozen=True, slots=True)
class Rooms:
    """The services this reads from."""

    store: Store
    runs: RunService
    threads: ThreadService
    notes: NoteService
    memory: MemoryService
    pins: PinService
    ledger: LedgerService
    compaction: CompactionService
    contexts: ContextService
    discover: Callable[[str, str], Snapshot]


class Gatherer:
    """Reads what calls are made of. Nothing is kept between two readings."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    def background(self, aim: Aim) -> Gathered:
        """All but the conversation: instructions, pins, goals, summary, memories, notes, as they are now."""
        rooms = self._rooms
        run_id = aim.run_id or self._newest_run(aim.thread_id)
        run = rooms.runs.show_run(run_id) if run_id else None
        pins = (
            rooms.pins.required_pins(aim.thread_id)
            if aim.thread_id
            else rooms.pins.required_pins_of_run(run_id)
            if run_id
            else ()
        )
        subject = self._subject(aim)
        required = (
            *sources.run_parts(run),
            *self._goals(aim, run_id),
            *sources.instruction_parts(self._snapshot(aim, run_id)),
            *sources.pin_parts(pins),
            *sources.summary_parts(rooms.compaction.surface(subject) if subject else None),
            *self._continuity(run_id),
        )
        return Gathered(required, self._memories(aim.root), self._notes(aim, run_id))

    def everything(self, aim: Aim, conversation: Conversation | None = None) -> Gathered:
        """The background with the conversation: the one given, a runner's own trace, else what is kept of it."""
        found = self.background(aim)
        if conversation is not None and not conversation.session.imported:
            return replace(found, path=sources.told(sources.rows_of(conversation)))
        trace = None
        if aim.run_id or aim.thread_id:
            trace = self._rooms.contexts.newest_trace(run_id=aim.run_id, thread_id=aim.thread_id)
        if trace is not None:
            path = self._rooms.contexts.load(trace.id).path()
            return replace(found, path=path, tree=self._rooms.contexts.goals(trace.id).tree)
        subject = self._subject(aim)
        if subject is None:
            return found
        with self._rooms.store.read() as connection:
            path = sources.told(rows(connection, subject))
        return replace(found, path=path)

    # --- parts --------------------------------------------------------------------------------------------------------

    def _newest_run(self, thread_id: str) -> str:
        chain = self._rooms.threads.show(thread_id)[1] if thread_id else ()
        return chain[-1].run_id if chain else ""

    def _subject(self, aim: Aim) -> Subject | None:
        if aim.thread_id:
            return Subject(thread_id=aim.thread_id)
        if aim.session_id or aim.run_id:
            return Subject(session_id=aim.session_id or session_of_run(aim.run_id))
        return None

    def _snapshot(self, aim: Aim, run_id: str) -> Snapshot | None:
        pinned = self._rooms.ledger.pinned(run_id) if run_id else None
        if pinned is not None:
            return pinned[0]
        return self._rooms.discover(aim.root, aim.target) if aim.root else None

    def _goals(self, aim: Aim, run_id: str) -> tuple[Part, ...]:
        for owner in dict.fromkeys((aim.thread_id, run_id)):
            if owner:
                goals = self._rooms.contexts.goals(owner)
                if goals.tree.goals:
                    return sources.goal_parts(owner, goals.version, goals.tree)
        return ()

    def _continuity(self, run_id: str) -> tuple[Part, ...]:
        if not run_id:
            return ()
        with self._rooms.store.read() as connection:
            return sources.continuity_parts(newest_node(connection, session_of_run(run_id)))

    def _memories(self, root: str) -> tuple[Part, ...]:
        owners = [(Scope.USER, USER_SCOPE_ID)]
        try:
            if root:
                owners.append((Scope.PROJECT, self._rooms.runs.workspace(root).id))
        except NotFoundError as error:
            if error.code != "no-workspace":
                raise
        now = self._rooms.store.clock.now()
        return sources.memory_parts(self._rooms.memory.prompt_records(now, owners))

    def _notes(self, aim: Aim, run_id: str) -> tuple[Part, ...]:
        if not (aim.thread_id or run_id):
            return ()
        chosen = NoteFilter(thread_id=aim.thread_id) if aim.thread_id else NoteFilter(run_id=run_id)
        return sources.note_parts(self._rooms.notes.list(chosen, limit=MAX_NOTES))
