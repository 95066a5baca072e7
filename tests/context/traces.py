"""Traces as runners make them, of any length: requests, calls in bundles, goals, side branches, summaries, returns."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from waybook.context.goals import CLOSED, GoalEvent, GoalTree, advance, fold, settle
from waybook.context.model import Message, ToolCall
from waybook.context.summary import summary_message, summary_text
from waybook.context.trace import Trace, paired

WORDS = [
    "parse",
    "tabs",
    "header",
    "déjà",
    "測試",
    "price",
    "<tag>",
    "\u2028",
    "&amp;",
    "tokens",
    "grant",
    "approve",
    "sudo",
]


@dataclass
class Grown:
    """A trace with what was done to its goals, and what its path was at some heads."""

    trace: Trace
    events: list[GoalEvent] = field(default_factory=list)
    tree: GoalTree = field(default_factory=GoalTree)
    settled: dict[int, tuple[Message, ...]] = field(default_factory=dict)
    summaries: int = 0
    returns: int = 0


class Grower:
    """Adds rounds by chance; the same seed gives the same trace."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.grown = Grown(Trace("trc_1"))
        self.made = 0

    def text(self, most: int = 12) -> str:
        return " ".join(["so", *(self.random.choice(WORDS) for _ in range(self.random.randint(1, most)))])

    def id(self, prefix: str) -> str:
        self.made += 1
        return f"{prefix}_{self.made}"

    def add(self, role: Any, content: str, **fields: Any) -> Message:
        trace = self.grown.trace
        parent = fields.pop("parent_sequence", trace.head)
        goal = fields.pop("goal_id", self.grown.tree.focus)
        draft = Message(0, 0, self.id("msg"), role, content, goal_id=goal, **fields)
        return trace.append(draft, parent_sequence=parent)

    def goal_arguments(self) -> dict[str, str] | None:
        """Something that can be done to the goals now."""
        tree = self.grown.tree
        still = [goal.id for goal in tree.goals.values() if goal.status not in CLOSED]
        action = self.random.choice(["add", "focus", "done", "done", "abandon"])
        if action == "add" or not still:
            under = self.random.choice(["", "", *still])
            return {"add": self.text(4), **({"under": under} if under else {})}
        goal = tree.focus if tree.focus and self.random.random() < 0.7 else self.random.choice(still)
        ends = action in {"done", "abandon"}
        if ends and any(child.status not in CLOSED for child in tree.children(goal)):
            return None
        return {action: goal, **({"summary": self.text()} if ends else {})}

    def do_goal(self, arguments: dict[str, str], sequence: int) -> None:
        action = next(name for name in ("add", "focus", "done", "abandon") if name in arguments)
        text = arguments["add"] if action == "add" else arguments.get("summary", "")
        goal_id = "" if action == "add" else arguments[action]
        event = settle(self.grown.tree, action, goal_id, text, under=arguments.get("under", ""))
        event = GoalEvent(event.action, event.goal_id, event.text, sequence)
        self.grown.events.append(event)
        self.grown.tree = advance(self.grown.tree, event)

    def round(self) -> None:
        """One answer with its calls and their results."""
        calls = []
        wishes = []
        for _ in range(self.random.randint(0, 3)):
            wish = self.goal_arguments() if self.random.random() < 0.35 and not wishes else None
            name = "goal" if wish else self.random.choice(["read_file", "bash", "search"])
            arguments = json.dumps(wish or {"path": self.text(2)}, ensure_ascii=False)
            calls.append(ToolCall(self.id("call"), name, arguments))
            if wish:
                wishes.append(wish)
        said = self.add("assistant", self.text(), calls=tuple(calls), reasoning=self.text())
        for wish in wishes:
            self.do_goal(wish, said.sequence)
        for call in calls:
            self.add("tool", self.text(20), call_id=call.id)

    def side_branch(self) -> None:
        """A few rounds that the main path never sees."""
        marks: Any = {"branch_type": self.random.choice(["reflection", "knowledge_eval"]), "branch_id": self.id("br")}
        parent = self.grown.trace.head
        for _ in range(self.random.randint(1, 3)):
            call = ToolCall(self.id("call"), "note", "{}")
            said = self.add("assistant", f"SIDE {self.text()}", calls=(call,), parent_sequence=parent, **marks)
            result = self.add("tool", f"SIDE {self.text()}", call_id=call.id, parent_sequence=said.sequence, **marks)
            parent = result.sequence

    def summary(self) -> None:
        content = summary_text(self.text(), self.grown.tree)
        self.grown.trace.add(summary_message(self.grown.trace, content, self.id("msg"), ""))
        self.grown.summaries += 1

    def go_back(self) -> None:
        known = [at for at in self.grown.settled if at]
        at = self.random.choice(known)
        self.grown.trace.rewind(at)
        self.grown.events.append(GoalEvent("rewind", "", sequence=at))
        self.grown.tree = fold(self.grown.events)
        self.grown.returns += 1

    def grow(self, messages: int, *, calm: bool = False) -> Grown:
        """At least so many messages; a calm trace is one long path without summaries and returns."""
        self.add("system", "You are careful.")
        self.add("user", "Do the work.")
        while self.grown.trace.last < messages:
            chance = self.random.random()
            if chance < 0.05:
                self.add("user", self.text(30))
            elif chance < 0.08:
                self.side_branch()
            elif chance < 0.09 and not calm:
                self.summary()
            elif chance < 0.10 and self.grown.settled and not calm:
                self.go_back()
            else:
                self.round()
            if calm:
                continue
            self.grown.settled[self.grown.trace.head] = self.grown.trace.path()
            if len(self.grown.settled) > 40:
                self.grown.settled.pop(next(iter(self.grown.settled)))
        assert paired(self.grown.trace.path())
        return self.grown


def grow(seed: int, messages: int, *, calm: bool = False) -> Grown:
    """A trace of at least so many messages."""
    return Grower(seed).grow(messages, calm=calm)
