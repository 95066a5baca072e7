"""Explaining a file again in a running process, against the bare cost of what it asks of the system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bare_calls import Recorder, replay
from measure import Ratio, compare, repeated
from waybook.analysis.service import Analysis
from waybook.base.clock import SystemClock
from waybook.instructions.explain import explain

if TYPE_CHECKING:
    from trees import Made


def run(tree: Made, small: Made) -> list[Ratio]:
    made = []
    analysis = Analysis(tree.root, SystemClock(), lambda: None)

    def once() -> None:
        explain(analysis.discover(tree.target))

    once()
    recorder = Recorder()
    recorder.record(once)
    for title, only in (("the same opens and reads, one SHA-256", True), ("all its system calls, one SHA-256", False)):
        bare, count = replay(recorder, only_opens_and_reads=only)
        note = f"{count} calls of the system; {len(analysis.discover(tree.target).sources)} files in the chain"
        made.append(
            compare("explain, warm", title, repeated(once, 20), repeated(bare, 20), runs=101, reach=3, note=note)
        )
    other = Analysis(small.root, SystemClock(), lambda: None)

    def in_small() -> None:
        explain(other.discover(small.target))

    chains = f"{len(analysis.discover(tree.target).sources)} and {len(other.discover(small.target).sources)} files in the chains"
    made.append(
        compare(
            f"explain in {tree.files:,} files",
            f"the same in {small.files:,} files",
            repeated(once, 20),
            repeated(in_small, 20),
            runs=101,
            reach=1.2,
            note=chains,
        )
    )
    return made
