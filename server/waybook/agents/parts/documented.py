"""What every answer of an agent that was not measured has to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waybook.agents.parts.trace import Trace


def say_so(trace: Trace, source: str) -> None:
    """Note that the answer rests on documents or source, not on a run of the program."""
    trace.note(f"{trace.profile.name} was not measured: this answer follows {source}, and the program may differ.")
