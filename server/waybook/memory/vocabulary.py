"""Which entries hold a term, told by the words they are made of: a few thousand words are looked through, not every text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_BETWEEN = b"\0"
"""Words hold none: records hold no NUL."""


class Vocabulary:
    """The words of some texts, split at ASCII white space, and by word the positions of the texts that hold it.

    A term without white space stands within one word, Chinese and Japanese as well, so nothing is missed.
    """

    def __init__(self, texts: Iterable[bytes]) -> None:
        self._places: dict[bytes, list[int]] = {}
        for position, text in enumerate(texts):
            for word in set(text.split()):
                places = self._places.get(word)
                if places is None:
                    self._places[word] = [position]
                else:
                    places.append(position)
        self._words = _BETWEEN + _BETWEEN.join(self._places) + _BETWEEN

    def holding(self, term: bytes, texts: Sequence[bytes]) -> set[int]:
        """The positions of the texts that hold a term; `texts` are those this was made from."""
        pieces = term.split()
        if pieces == [term]:
            return self._holding(term)
        found = self._holding(max(pieces, key=len, default=b""))
        return {position for position in found if term in texts[position]}

    def _holding(self, term: bytes) -> set[int]:
        found: set[int] = set()
        words = self._words
        at = words.find(term)
        while at >= 0:
            end = words.find(_BETWEEN, at)
            found.update(self._places[words[words.rfind(_BETWEEN, 0, at) + 1 : end]])
            at = words.find(term, end)
        return found
