"""Fitting older messages into a summariser's window. Only this temporary input shrinks; nothing stored does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from waybook.compaction.prompt import OVERHEAD_TOKENS
from waybook.compaction.summariser import ANSWER_TOKENS, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from waybook.compaction.model import Item, Verbatim

FRAME_TOKENS = 24
"""Tokens of the JSON around one message."""
LEAST_TOKENS = 64
"""A message is shortened to no fewer tokens than these; below, it counts as unread."""
_CUT = "\n[... {} characters left out for the summariser ...]\n"


def estimate(text: str) -> int:
    """An upper guess of tokens where no vocabulary can be had: one for three bytes."""
    return len(text.encode()) // 3 + 1


@dataclass(frozen=True, slots=True)
class Fitted:
    """The request that fits, and how many of the messages are not or only partly in it."""

    request: Request
    unread: int
    shortened: int


def fit(previous: str, items: Sequence[Item], focus: str, window: int, count: Callable[[str], int]) -> Fitted:
    """The newest messages that fit a window of so many tokens, in their order; 0 takes them all.

    The previous summary comes first, since it stands for what came before. Where not even the newest message fits
    beside it, its beginning and end are taken.
    """
    if not window:
        return Fitted(Request(previous, tuple(items), focus), 0, 0)
    room = window - ANSWER_TOKENS - OVERHEAD_TOKENS - count(previous) - count(focus)
    taken: list[Item] = []
    shortened = 0
    for item in reversed(items):
        need = count(item.text) + FRAME_TOKENS
        if need > room:
            if not taken and room - FRAME_TOKENS >= LEAST_TOKENS:
                taken.append(replace(item, text=_shortened(item.text, room - FRAME_TOKENS, count)))
                shortened = 1
            break
        room -= need
        taken.append(item)
    unread = len(items) - len(taken)
    return Fitted(Request(previous, tuple(reversed(taken)), focus, unread), unread, shortened)


def _shortened(text: str, tokens: int, count: Callable[[str], int]) -> str:
    """Head and tail of a text, together of at most so many tokens."""
    keep = len(text)
    while keep:
        keep = keep // 2
        cut = text[: keep * 2 // 3] + _CUT.format(f"{len(text) - keep:,}") + (text[-(keep // 3) :] if keep // 3 else "")
        if count(cut) <= tokens:
            return cut
    return ""


def verbatim(prompts: Sequence[Verbatim], budget: int, count: Callable[[str], int]) -> tuple[Verbatim, ...]:
    """The newest user messages that fit a budget of tokens in full, oldest first; ends at the first that does not fit."""
    taken: list[Verbatim] = []
    for prompt in reversed(prompts):
        budget -= count(prompt.text) + FRAME_TOKENS
        if budget < 0:
            break
        taken.append(prompt)
    return tuple(reversed(taken))


def counting(count: Callable[[str], int | None]) -> Callable[[str], int]:
    """A token counter that guesses upwards where the vocabulary cannot be had or cannot take the text."""

    def counted(text: str) -> int:
        found = count(text)
        return estimate(text) if found is None else found

    return counted
