"""Whether a text holds a query: the query as it stands, or all of its words; in any script, case and width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.memory.search import excerpt, fold
from waybook.recall.model import MAX_QUERY

if TYPE_CHECKING:
    from waybook.recall.model import Record


@dataclass(frozen=True, slots=True)
class Query:
    """`words` are its folded words; an empty query holds for everything."""

    text: str
    folded: str
    words: tuple[str, ...]

    def holds(self, record: Record) -> bool:
        """Whether title or text hold it."""
        if not self.folded:
            return True
        text = fold(f"{record.title}\n{record.text}")
        return self.folded in text or all(word in text for word in self.words)

    def excerpt(self, text: str) -> str:
        """One line around the first match; the beginning where there is none."""
        return excerpt(text, [word.encode() for word in (self.folded, *self.words) if word])


def parse(text: str) -> Query:
    """A query of up to 256 characters; raises `UsageError`."""
    if len(text) > MAX_QUERY or "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError(
            f"A query has up to {MAX_QUERY} characters of plain text.",
            code="bad-query",
            limit=MAX_QUERY,
            hint="Search for a few words; an empty query lists the newest.",
        )
    plain = text.strip()
    folded = fold(plain)
    return Query(plain, folded, tuple(dict.fromkeys(folded.split())))
