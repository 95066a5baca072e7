"""The goal tree of a trace, thread or run: a pure fold over what was done to it, with two views for a model.

Goals are numbered by place: `1`, `1.2`, `1.2.1`. What was done is kept as events and never changed; going back in a
trace adds an event too, which takes away those that came after the cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.context.limits import MAX_GOAL_DEPTH, MAX_GOAL_SUMMARY, MAX_GOAL_TITLE, MAX_GOALS

if TYPE_CHECKING:
    from collections.abc import Iterable


class GoalStatus(StrEnum):
    """Where a goal stands. At most one goal is focused."""

    OPEN = "open"
    FOCUSED = "focused"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


CLOSED = frozenset({GoalStatus.COMPLETED, GoalStatus.ABANDONED})
ACTIONS = ("add", "focus", "done", "abandon", "rewind")
_MARKS = {
    GoalStatus.OPEN: "[ ]",
    GoalStatus.FOCUSED: "[>]",
    GoalStatus.COMPLETED: "[x]",
    GoalStatus.ABANDONED: "[-]",
}


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal. `summary` says how it ended, or why it was given up; empty while it is open."""

    id: str
    parent: str
    title: str
    status: GoalStatus = GoalStatus.OPEN
    summary: str = ""


@dataclass(frozen=True, slots=True)
class GoalEvent:
    """One thing done to a tree. `text`: the title, summary or reason; `sequence`: that of the trace then (0: none)."""

    action: str
    goal_id: str
    text: str = ""
    sequence: int = 0
    by: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class GoalTree:
    """The goals in order of making; `focus` is the id of the focused one or ""."""

    goals: dict[str, Goal] = field(default_factory=dict)
    focus: str = ""

    def find(self, goal_id: str) -> Goal:
        """The goal of this id. Raises `NotFoundError`."""
        found = self.goals.get(goal_id)
        if found is None:
            raise NotFoundError(
                f"There is no goal {goal_id!r}.", code="no-goal", hint="`waybook goals list` shows the goals."
            )
        return found

    def children(self, goal_id: str) -> tuple[Goal, ...]:
        """The goals right below one ("" for the top), in their order."""
        return tuple(goal for goal in self.goals.values() if goal.parent == goal_id)

    @property
    def closed(self) -> tuple[Goal, ...]:
        """Completed and abandoned goals, in order of making."""
        return tuple(goal for goal in self.goals.values() if goal.status in CLOSED)

    def next_id(self, under: str) -> str:
        """The id that the next goal below `under` gets."""
        number = len(self.children(under)) + 1
        return f"{under}.{number}" if under else str(number)


def settle(tree: GoalTree, action: str, goal_id: str = "", text: str = "", *, under: str = "") -> GoalEvent:
    """The event that an action is, checked against the tree as it stands.

    Raises `UsageError` for a text that is missing or too long, `NotFoundError`, `ConflictError` for a goal that is
    closed or has open goals below it, `RefusedError` for too many goals.
    """
    text = text.strip()
    if action == "add":
        return _settle_new(tree, text, under)
    if action not in {"focus", "done", "abandon"}:
        raise UsageError(
            f"A goal cannot be told to {action!r}.", code="bad-action", hint="add, focus, done or abandon."
        )
    goal = tree.find(goal_id)
    if goal.status in CLOSED:
        raise ConflictError(f"The goal {goal_id} is {goal.status}; it stays so.", code="goal-closed")
    if action == "focus":
        return GoalEvent("focus", goal_id)
    if not text and action == "done":
        raise UsageError(
            f"What came of the goal {goal_id}?", code="no-summary", hint="A completed goal has a summary of its result."
        )
    _require_length("summary", text, MAX_GOAL_SUMMARY)
    if any(child.status not in CLOSED for child in tree.children(goal_id)):
        raise ConflictError(
            f"The goal {goal_id} has open goals below it.", code="goals-open", hint="Finish or abandon those first."
        )
    return GoalEvent(action, goal_id, text)


def _settle_new(tree: GoalTree, title: str, under: str) -> GoalEvent:
    title = " ".join(title.split())
    if not title:
        raise UsageError("A goal needs a title.", code="no-title", hint="Say in a line what is to be reached.")
    _require_length("title", title, MAX_GOAL_TITLE)
    if under and tree.find(under).status in CLOSED:
        raise ConflictError(f"The goal {under} is closed; nothing can be added below it.", code="goal-closed")
    if len(tree.goals) >= MAX_GOALS:
        raise RefusedError(f"A tree has at most {MAX_GOALS:,} goals.", code="too-many-goals", limit=MAX_GOALS)
    goal_id = tree.next_id(under)
    if goal_id.count(".") > MAX_GOAL_DEPTH:
        raise RefusedError(
            f"Goals lie at most {MAX_GOAL_DEPTH} levels deep.", code="goals-too-deep", limit=MAX_GOAL_DEPTH
        )
    return GoalEvent("add", goal_id, title)


def _require_length(what: str, text: str, limit: int) -> None:
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError(f"The {what} holds NUL or what is not Unicode text.", code="bad-text")
    if len(text) > limit:
        raise UsageError(f"A {what} has at most {limit:,} characters.", code=f"long-{what}", limit=limit)


def fold(events: Iterable[GoalEvent]) -> GoalTree:
    """The tree that events make, in their order."""
    kept: list[GoalEvent] = []
    for event in events:
        if event.action == "rewind":
            kept = [one for one in kept if one.sequence <= event.sequence]
        else:
            kept.append(event)
    goals: dict[str, Goal] = {}
    focus = ""
    for event in kept:
        focus = _apply(goals, focus, event)
    return GoalTree(goals, focus)


def _apply(goals: dict[str, Goal], focus: str, event: GoalEvent) -> str:
    if event.action == "add":
        goals[event.goal_id] = Goal(event.goal_id, event.goal_id.rpartition(".")[0], event.text)
        return focus
    goal = goals.get(event.goal_id)
    if goal is None:  # its making was taken back
        return focus
    if event.action == "focus":
        if focus and focus != event.goal_id:
            goals[focus] = replace(goals[focus], status=GoalStatus.OPEN)
        goals[event.goal_id] = replace(goal, status=GoalStatus.FOCUSED)
        return event.goal_id
    status = GoalStatus.COMPLETED if event.action == "done" else GoalStatus.ABANDONED
    goals[event.goal_id] = replace(goal, status=status, summary=event.text)
    return "" if focus == event.goal_id else focus


def advance(tree: GoalTree, event: GoalEvent) -> GoalTree:
    """The tree after one more event (not a rewind)."""
    goals = dict(tree.goals)
    return GoalTree(goals, _apply(goals, tree.focus, event))


def view(tree: GoalTree, *, summaries: bool = False) -> str:
    """The tree as a model reads it; with `summaries`, how each closed goal ended stands below it.

    The compact view is for regular reminders, the one with summaries for compressing a history.
    """
    if not tree.goals:
        return "No goals yet."
    below: dict[str, list[Goal]] = {}
    for goal in tree.goals.values():
        below.setdefault(goal.parent, []).append(goal)
    lines: list[str] = []
    todo = list(reversed(below.get("", [])))
    while todo:
        goal = todo.pop()
        indent = "  " * goal.id.count(".")
        lines.append(f"{indent}{_MARKS[goal.status]} {goal.id} {goal.title}")
        if summaries and goal.summary:
            lines += [f"{indent}      {line}" for line in goal.summary.splitlines()]
        todo += reversed(below.get(goal.id, []))
    return "\n".join(lines)


def reminder(tree: GoalTree) -> str:
    """What is in focus, in one line."""
    if tree.focus:
        return f"In focus: {tree.focus} {tree.goals[tree.focus].title}"
    if any(goal.status not in CLOSED for goal in tree.goals.values()):
        return "No goal is in focus: choose one before going on."
    return "No goal is open."
