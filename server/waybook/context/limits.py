"""Every number of a model call's context, in one place. Tokens are estimates by Waybook's counter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

GoalCompression = Literal["none", "on_complete", "on_overflow"]

WINDOW = 128_000
"""Tokens of a model's window where nobody says otherwise."""
MIN_WINDOW = 256
"""No call can be made in less."""
ANSWER_TOKENS, ANSWER_PART = 4096, 8
"""Kept free for the answer: 4,096 tokens, but never more than an eighth of the window (Waybook's choice)."""
THRESHOLD = 0.5
"""Share of the window past which history is compressed (the context-management protocol's default)."""
INTERVAL = 5
"""Rounds between two looks at the current context (the context-management protocol's default)."""
RECENCY = 10
"""A skill among so many last messages is not given again (the context-management protocol's default)."""
MEMORY_TOKENS, MEMORY_PART = 2048, 4
"""Memory may take min(2048, background / 4, what is left) tokens (the continuity protocol)."""
MESSAGE_TOKENS = 4
"""Tokens that a message costs beside its text: role and separators."""
RECENT_KEPT = 4
"""Messages that stay in full beside a summary where history does not fit (the continuity protocol)."""

MAX_GOALS = 2000
MAX_GOAL_DEPTH = 16
MAX_GOAL_TITLE = 512
MAX_GOAL_SUMMARY = 8192
"""Goals of one tree, levels below the top, characters of a title and of a summary (Waybook's choice)."""
MAX_SKILL = 64 * 1024
"""Characters of one skill (Waybook's choice)."""
MAX_INJECTED = 16 * 1024
"""Characters that one registered hook may add to the current context (Waybook's choice)."""
MAX_CONTEXTS = 16
"""Contexts that one message may carry (Waybook's choice)."""
MAX_JSON_DEPTH = 32
"""Levels of nesting in JSON that is frozen with a message (Waybook's choice)."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How one trace's context is kept: see `docs/context.md` for each.

    `reflect` and `evaluate` put a side branch before the summary; `native_reasoning`: the model needs its own reasoning
    history, so that nothing is ever trimmed and a full window is reported instead.
    """

    window: int = WINDOW
    threshold: float = THRESHOLD
    goal_compression: GoalCompression = "on_overflow"
    interval: int = INTERVAL
    recency: int = RECENCY
    reflect: bool = False
    evaluate: bool = False
    native_reasoning: bool = False

    @property
    def limit(self) -> int:
        """Tokens of history past which it is compressed."""
        return int(self.window * self.threshold)

    @property
    def answer(self) -> int:
        """Tokens that stay free for the answer."""
        return min(ANSWER_TOKENS, self.window // ANSWER_PART)
