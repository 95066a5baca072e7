"""What a summariser is, and the request that every one of them is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from waybook.base.cancel import Progress
    from waybook.compaction.model import Item

ANSWER_TOKENS = 4096
"""Tokens that a model may answer with: a summary of 16 KiB has fewer in any language."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be summarised: the summary so far ("" for none), messages in their order, and what matters most.

    `unread` messages came before these and did not fit.
    """

    previous: str
    items: tuple[Item, ...]
    focus: str
    unread: int = 0


class OutcomeUnknownError(Exception):
    """The request may have been worked on, and paid for, although no answer came."""


class Summariser(Protocol):
    """Turns a request into a text. `window` is in tokens; 0 for one that reads any amount."""

    @property
    def name(self) -> str:
        """`extractive`, `openai` or `editor`."""
        ...

    @property
    def model(self) -> str:
        """The model's name; empty where there is none or it is not known."""
        ...

    @property
    def window(self) -> int:
        """Tokens of the model's window; 0: no bound."""
        ...

    def check(self) -> None:
        """Raise `UnavailableError`, `UsageError` or `RefusedError` when it cannot be asked at all; sends nothing."""
        ...

    def summarise(self, request: Request, progress: Progress) -> str:
        """The summary. Raises `WaybookError` when it surely failed, `OutcomeUnknownError` when nobody can tell."""
        ...
