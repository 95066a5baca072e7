"""Compression level 1: what a finished goal needed is taken out of the list that is sent. Deterministic, in memory only.

Of a completed or abandoned goal, the calls of the goal tool and their results stay; its other answers and calls go, with
their results. The result of the call that finished it becomes a fixed notice. What people said is never touched, and
what is stored never changes: the list of a later call is made from the stored messages again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from waybook.context.goals import CLOSED
from waybook.context.model import GOAL_TOOL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from waybook.context.goals import GoalTree
    from waybook.context.model import Message, ToolCall

NOTICE = "The steps taken for this goal were cleared; its summary stands in the goal tree."
"""Fixed words in place of the result of the call that finished a goal."""


@dataclass(frozen=True, slots=True)
class Compressed:
    """What level 1 made of a path: the messages to send, the goals it cleared, the tokens before and after."""

    messages: tuple[Message, ...]
    goals: tuple[str, ...]
    before: int
    after: int


def clear_goals(
    path: Sequence[Message], goals: Iterable[str], measure: Callable[[Message], int], *, until: int | None = None
) -> Compressed:
    """Clear goal after goal, in the order given; with `until`, stop as soon as the path has at most so many tokens.

    `measure` says what a message costs. Time grows with the path's length once, and with what each goal holds.
    """
    work = _Work(path, measure)
    before = work.total
    cleared = []
    for goal_id in goals:
        if until is not None and work.total <= until:
            break
        if work.clear(goal_id):
            cleared.append(goal_id)
    return Compressed(tuple(message for message in work.now if message), tuple(cleared), before, work.total)


def closed_on(tree: GoalTree) -> tuple[str, ...]:
    """The goals that may be cleared: completed and abandoned ones, oldest first."""
    return tuple(goal.id for goal in tree.goals.values() if goal.status in CLOSED)


class _Work:
    """A path being cleared: each place holds its message as it is now, or None."""

    def __init__(self, path: Sequence[Message], measure: Callable[[Message], int]) -> None:
        self.now: list[Message | None] = list(path)
        self._measure = measure
        self.total = sum(measure(message) for message in path)
        self._of_goal: dict[str, list[int]] = {}
        self._result: dict[str, int] = {}
        self._finishing: dict[str, list[str]] = {}
        for place, message in enumerate(path):
            if message.role == "assistant" and message.goal_id:
                self._of_goal.setdefault(message.goal_id, []).append(place)
            if message.role == "tool":
                self._result[message.call_id] = place
            for call in message.calls:
                if call.name == GOAL_TOOL:
                    self._note(call)

    def _note(self, call: ToolCall) -> None:
        try:
            arguments = json.loads(call.arguments)
        except ValueError:
            return
        if isinstance(arguments, dict):
            for name in ("done", "abandon"):
                goal_id = arguments.get(name)
                if isinstance(goal_id, str) and goal_id:
                    self._finishing.setdefault(goal_id, []).append(call.id)

    def _put(self, place: int, message: Message | None) -> bool:
        old = self.now[place]
        if old is None or old == message:
            return False
        self.total += (self._measure(message) if message else 0) - self._measure(old)
        self.now[place] = message
        return True

    def clear(self, goal_id: str) -> bool:
        changed = False
        for place in self._of_goal.get(goal_id, ()):
            message = self.now[place]
            if message is None:
                continue
            kept = tuple(call for call in message.calls if call.name == GOAL_TOOL)
            for call in message.calls:
                if call.name != GOAL_TOOL and call.id in self._result:
                    changed |= self._put(self._result[call.id], None)
            changed |= self._put(place, replace(message, calls=kept) if kept else None)
        for call_id in self._finishing.get(goal_id, ()):
            place = self._result.get(call_id, -1)
            message = self.now[place] if place >= 0 else None
            if message is not None:
                changed |= self._put(place, replace(message, content=NOTICE))
        return changed
