"""The record of one count."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """A number of tokens, with the vocabulary that gave it.

    `encoding` is tiktoken's name of the vocabulary; `approximate` says that the agent's model uses another one, so
    that the number is only near the truth.
    """

    tokens: int
    encoding: str
    approximate: bool = False

    def __str__(self) -> str:
        """Write the count for people: `about 1,234 o200k tokens`."""
        about = "about " if self.approximate else ""
        unit = "token" if self.tokens == 1 else "tokens"
        return f"{about}{self.tokens:,} {self.encoding.removesuffix('_base')} {unit}"
