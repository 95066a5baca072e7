"""Assembling a model call over a long trace, against the bare cost of writing its JSON; growth; level 1; counting.

The trace is made here, always the same one: requests, calls in pairs, 500 goals, one of each twenty messages a request.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from measure import Ratio, compare, repeated
from waybook.context.assemble import Offer, assemble
from waybook.context.budget import Part
from waybook.context.compress import clear_goals, closed_on
from waybook.context.goals import Goal, GoalStatus, GoalTree
from waybook.context.limits import Policy
from waybook.context.model import Message, Rank, ToolCall
from waybook.context.shape import shape
from waybook.context.sizes import Sizes, by_bytes
from waybook.tokens import Counter

if TYPE_CHECKING:
    from collections.abc import Callable

    from trees import Made

MESSAGES, MEMORIES, GOALS = 10_000, 1_000, 500
GROWTH = 12.0
"""Ten times the messages may take so many times as long: near linear."""
_TEXT = "The parser reads a line, keeps its columns and goes on with the next one; nothing else was changed here. "


def trace(messages: int) -> tuple[Message, ...]:
    """A path of calls and results; each goal holds the messages of its stretch."""
    path = [Message(1, 0, "m1", "system", "Be careful."), Message(2, 1, "m2", "user", "Do the work.")]
    while len(path) < messages:
        number = len(path) + 1
        goal = str(1 + number * GOALS // messages)
        if number % 20 == 0:
            path.append(Message(number, number - 1, f"m{number}", "user", _TEXT, goal_id=goal))
            continue
        name, arguments = ("goal", json.dumps({"done": goal})) if number % 10 == 1 else ("read", '{"path": "a.py"}')
        call = ToolCall(f"c{number}", name, arguments)
        said = Message(number, number - 1, f"m{number}", "assistant", _TEXT, calls=(call,), goal_id=goal)
        path += [said, Message(number + 1, number, f"m{number + 1}", "tool", _TEXT * 3, call_id=call.id, goal_id=goal)]
    return tuple(path)


def goals() -> GoalTree:
    """Goals that are all completed."""
    return GoalTree({str(n): Goal(str(n), "", f"goal {n}", GoalStatus.COMPLETED, "ok") for n in range(1, GOALS + 1)})


def memories() -> tuple[Part, ...]:
    """Memories of a few lines each."""
    return tuple(
        Part(Rank.PINNED, "memory", f"mem_{n}", f"memory {n}", f"{n} {_TEXT}", 1, f"{n:064}") for n in range(MEMORIES)
    )


def _counting() -> Callable[[str], int]:
    counter = Counter()
    return lambda text: by_bytes(text) if (found := counter.count(text)) is None else found


def run(_tree: Made, _small: Made) -> list[Ratio]:
    """Processor seconds; nothing here waits."""
    count = _counting()
    long, short, kept = trace(MESSAGES), trace(MESSAGES // 10), memories()
    policy = Policy(window=100_000_000, goal_compression="none")
    sizes, small_sizes = Sizes(count), Sizes(count)

    def call(path: tuple[Message, ...], known: Sizes) -> None:
        shaped = shape(path, GoalTree(), policy, known).messages
        _ = assemble(Offer(shaped, memories=kept), policy, known).request

    call(long, sizes)
    call(short, small_sizes)
    bodies = json.loads(assemble(Offer(long, memories=kept), policy, sizes).request)

    def bare() -> None:
        json.dumps(bodies, ensure_ascii=False, separators=(",", ":"))

    def first() -> float:
        began = time.process_time()
        call(long, Sizes(count))
        return time.process_time() - began

    tree = goals()
    note = f"{len(long):,} messages, {MEMORIES:,} memories"
    once = repeated(lambda: call(long, sizes), 5)
    return [
        compare("assembling a call of a long trace", "writing its JSON", once, repeated(bare, 5), runs=15, note=note),
        compare(
            "assembling a call of ten times the messages",
            "the shorter one",
            once,
            repeated(lambda: call(short, small_sizes), 20),
            runs=15,
            reach=GROWTH,
            note=f"{len(long):,} against {len(short):,} messages, {MEMORIES:,} memories each",
        ),
        compare(
            "assembling with counts that are known",
            "counting every token anew",
            once,
            first,
            runs=5,
            reach=0.2,
            note=note,
        ),
        compare(
            f"clearing {GOALS} goals from what is sent",
            "writing its JSON",
            repeated(lambda: clear_goals(long, closed_on(tree), sizes.message), 5),
            repeated(bare, 5),
            runs=15,
            note=f"{len(long):,} messages, level 1",
        ),
    ]
