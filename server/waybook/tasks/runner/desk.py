"""What the reference runner stands on: services and small callables handed in, and the calls it makes with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.context.assemble import Offer, assemble
from waybook.context.audit import Subject
from waybook.context.gather import Gathered
from waybook.context.shape import shape
from waybook.context.sources import goal_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from waybook.base.actor import Actor
    from waybook.base.cancel import Progress
    from waybook.context.gather import Aim
    from waybook.context.inbox import Inbox
    from waybook.context.model import Message
    from waybook.context.repository import TraceRecord
    from waybook.context.service import ContextService
    from waybook.context.sizes import Sizes
    from waybook.tasks.runner.client import Asker
    from waybook.tasks.runner.options import Budget, Options, Reply, Step
    from waybook.tasks.service import TaskService

_ROOT_ONLY = frozenset({"goal", "mode", "summary", "continuity"})
"""Of the background, what a child never gets: it has its brief."""


def _nobody(_step: Step) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything one run uses.

    `background` reads instructions, pins and memory anew before each call. `search`, `read` (recall of a run) and
    `propose` (a pin) are other rooms' answers as JSON data. `hooks` add to the current context; `inbox` brings
    steering messages to the root. `emit` is told of every message.
    """

    contexts: ContextService
    tasks: TaskService
    sizes: Sizes
    asker: Asker
    options: Options
    budget: Budget
    actor: Actor
    progress: Progress
    aim: Aim
    now: Callable[[], str]
    new_id: Callable[[str], str]
    background: Callable[[Aim], Gathered]
    search: Callable[[str, str, str], Any]
    read: Callable[[str, str, int, str], Any]
    propose: Callable[[str, str], Any]
    inbox: Inbox | None = None
    hooks: tuple[Callable[[], str], ...] = ()
    emit: Callable[[Step], None] = _nobody

    def call(self, record: TraceRecord, path: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Reply:
        """One logical model call: assembled from what is so now, accounted for, then sent. A retry sends it again."""
        seconds = self.budget.take()
        self.progress.step(f"asking {self.options.model}, call {self.budget.calls}", self.budget.calls)
        tree = self.contexts.goals(record.id)
        shaped = shape(path, tree.tree, self.options.policy, self.sizes).messages
        found = self._found(record)
        offer = Offer(shaped, found.required, found.memories, found.notes, tuple(tools))
        return self.send(record, offer, seconds)

    def send(self, record: TraceRecord, offer: Offer, seconds: float) -> Reply:
        """Assemble, keep the audit, send."""
        made = assemble(offer, self.options.policy, self.sizes, model=self.options.model)
        request = made.request
        self.contexts.account(made, Subject(record.id, record.run_id, record.thread_id))
        return self.asker.ask(request, seconds, self.progress)

    def _found(self, record: TraceRecord) -> Gathered:
        found = self.background(self.aim)
        goals = self.contexts.goals(record.id)
        own = goal_parts(record.id, goals.version, goals.tree)
        if not record.parent_id:
            return Gathered((*found.required, *own), found.memories, found.notes)
        kept = tuple(part for part in found.required if part.kind not in _ROOT_ONLY)
        return Gathered((*kept, *own), found.memories, ())
