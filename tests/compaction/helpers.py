"""A compaction service, and summarisers that do what a test says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sessions.world import OPERATOR, World
from store.helpers import keep
from waybook.base.cancel import Progress
from waybook.compaction.extractive import Extractive
from waybook.compaction.model import Compaction, Subject
from waybook.compaction.service import CompactionService, Order

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.compaction.summariser import Request


@dataclass
class Scripted:
    """A model whose answer is given, or made by a function; remembers what it was asked."""

    answer: str | Callable[[Request], str] = "The summary."
    window: int = 0
    name: str = "openai"
    model: str = "scripted-1"
    asked: list[Request] = field(default_factory=list)

    def check(self) -> None:
        """Always there."""

    def summarise(self, request: Request, progress: Progress) -> str:
        self.asked.append(request)
        return self.answer if isinstance(self.answer, str) else self.answer(request)


def words(text: str) -> int:
    """One token a word: what tests can count."""
    return len(text.split())


def service(world: World, **options: Any) -> CompactionService:
    return CompactionService(world.store, keep, options.get("count", words))


def compact(world: World, subject: str, summariser: Any = None, *, key: str = "op1", **fields: Any) -> Compaction:
    owner = Subject(thread_id=subject) if subject.startswith("thr") else Subject(session_id=subject)
    order = Order(owner, key, **fields)
    return service(world).compact(order, summariser or Extractive(), OPERATOR, Progress())


def operations(world: World) -> list[tuple[str, str]]:
    """Keys and states of everything that is kept."""
    with world.store.read() as connection:
        rows = connection.exec_driver_sql("SELECT operation_key, state FROM compactions ORDER BY seq")
        return [tuple(row) for row in rows]


def marked(world: World) -> list[int]:
    with world.store.read() as connection:
        rows = connection.exec_driver_sql("SELECT message_seq FROM compaction_marks ORDER BY message_seq")
        return [seq for (seq,) in rows]
