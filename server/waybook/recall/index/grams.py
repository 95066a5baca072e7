"""What is indexed of a text, and which lookup answers a query: pieces of three characters, and pairs in scripts without spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from waybook.memory.search import fold

TRIGRAM, PAIR = 3, 2
MOST_GRAMS = 16
"""Pieces of a query that are looked up; what they name is compared with the whole query anyway."""
_WIDE = re.compile(r"[\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+")
"""Characters of Chinese, Japanese and Korean, where two make a word."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A table of the index and the pieces that a match has all of."""

    table: Literal["grams", "pairs"]
    pieces: tuple[str, ...]

    def expression(self) -> str:
        """The FTS5 expression."""
        return " AND ".join('"' + piece.replace('"', '""') + '"' for piece in self.pieces)


def lookup(query: str) -> Lookup | None:
    """How a query is looked up; None for one that is too short for any table."""
    folded = fold(query.strip())
    if len(folded) >= TRIGRAM:
        every = list(dict.fromkeys(folded[at : at + TRIGRAM] for at in range(len(folded) - TRIGRAM + 1)))
        step = max(1, -(-len(every) // MOST_GRAMS))
        return Lookup("grams", tuple(every[::step]))
    if len(folded) == PAIR and _WIDE.fullmatch(folded):
        return Lookup("pairs", (folded,))
    return None


def pairs(folded: str) -> str:
    """Every pair of wide characters once, with spaces between; empty where there is none."""
    if folded.isascii():
        return ""
    found = {run[at : at + PAIR] for run in _WIDE.findall(folded) for at in range(len(run) - 1)}
    return " ".join(sorted(found))
