"""What all agents load for a file, against the `.prayu` explanation of it; and the matrix over every instruction file."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from measure import Ratio, compare, repeated
from waybook.agents import MEASURED, explain, ids
from waybook.agents.matrix import rows
from waybook.agents.model import Request
from waybook.agents.parts.known import known_directories, sample_file
from waybook.analysis.loading import AgentContext, AgentLoadings, AgentMemory
from waybook.analysis.service import Analysis
from waybook.base.clock import SystemClock
from waybook.instructions import explain as profile
from waybook.workspace.box import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from trees import Made

NO_HOME = "/nonexistent"


def run(tree: Made, _small: Made) -> list[Ratio]:
    analysis = Analysis(tree.root, SystemClock(), lambda: None)
    memory, context = AgentMemory(), AgentContext(NO_HOME, {}, ids())
    request = Request(tree.root, tree.root, f"{tree.root}/{tree.target}", NO_HOME)

    def own() -> None:
        profile.explain(analysis.discover(tree.target))

    def again() -> None:
        AgentLoadings(tree.root, context, memory).towards(tree.target)

    def afresh(agents: tuple[str, ...]) -> Callable[[], object]:
        return lambda: explain(agents, request, Box())

    made = []
    for title, call, reach in (
        (f"all {len(ids())} agents, warm", again, 6),
        (f"all {len(ids())} agents, nothing known", afresh(ids()), None),
        (f"the {len(MEASURED)} measured agents, nothing known", afresh(MEASURED), None),
    ):
        sides = (repeated(call, 20), repeated(own, 20))
        note = "warm: looks at everything again that the answers rest on, and gives them again where nothing changed"
        made.append(compare(title, "explain of the .prayu profile, warm", *sides, runs=51, reach=reach, note=note))
    return made + _matrix(tree)


def _matrix(tree: Made) -> list[Ratio]:
    agents = ("codex", "claude-code", "copilot-cli", "gemini-cli", "opencode")

    def streamed() -> Iterator[object]:
        box = Box()
        targets = (sample_file(box, place) for place in known_directories(box, tree.root))
        return rows(Request(tree.root, tree.root, None, NO_HOME), targets, agents, box)

    def whole() -> float:
        started = time.process_time()
        for _ in streamed():
            pass
        return time.process_time() - started

    def first() -> float:
        started = time.process_time()
        next(iter(streamed()))
        return time.process_time() - started

    count = sum(1 for _ in streamed())
    found = compare("first row of the matrix", "all its rows", first, whole, runs=7, reach=0.5)
    speed = f"{count:,} rows, {len(agents)} agents: {count / found.theirs:,.0f} rows a second"
    return [replace(found, note=speed)]
