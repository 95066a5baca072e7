"""What one run of the reference runner may use, and what came of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from waybook.base.errors import RefusedError, UnavailableError
from waybook.context.limits import Policy

if TYPE_CHECKING:
    from waybook.context.injection import Skill
    from waybook.context.model import Message

MAX_CALLS, MAX_SECONDS = 64, 900
"""Model calls and seconds of a whole tree of tasks where nobody says otherwise."""
SIDE_TURNS = 4
"""Turns of one side branch."""
MAX_RESULT = 64 * 1024
"""Characters of one tool result that a model is given."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the runner works. `inject`: skills every trace of the run is to have before it; `skills`: all there are."""

    model: str
    policy: Policy = field(default_factory=Policy)
    system: str = ""
    skills: tuple[Skill, ...] = ()
    inject: tuple[str, ...] = ()
    max_calls: int = MAX_CALLS
    seconds: float = MAX_SECONDS
    validate: bool = True


@dataclass(frozen=True, slots=True)
class Validation:
    """How a result was judged: passed, failed or unknown, and why."""

    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of the root came to. `calls`: model calls of the whole tree, validators included."""

    trace_id: str
    run_id: str
    answer: str
    validation: Validation
    calls: int
    compressions: int
    tasks: int


@dataclass(slots=True)
class Budget:
    """Calls and time of a whole tree, shared by all its tasks."""

    max_calls: int
    seconds: float
    calls: int = 0
    compressions: int = 0
    tasks: int = 0
    _began: float = field(default_factory=time.monotonic)

    def take(self) -> float:
        """Count one call; answers the seconds left for it. Raises when calls or time are used up."""
        if self.calls >= self.max_calls:
            raise RefusedError(
                f"The run has made its {self.max_calls:,} model calls.",
                code="budget-exhausted",
                limit=self.max_calls,
                hint="Go on with --trace, and --max-calls for more.",
            )
        left = self.seconds - (time.monotonic() - self._began)
        if left <= 0:
            raise UnavailableError(
                f"The run's {self.seconds:,.0f} seconds are over.",
                code="timeout",
                hint="Go on with --trace, and --timeout for more.",
            )
        self.calls += 1
        return left


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said: its words, the calls it asks for (id, name, JSON text), its thoughts."""

    content: str
    calls: tuple[tuple[str, str, str], ...] = ()
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Told as the run goes on: which trace, and the message that was added."""

    trace_id: str
    depth: int
    message: Message


Json = dict[str, Any]
