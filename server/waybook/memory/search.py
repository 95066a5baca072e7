"""Search: words and substrings in any script, ranked. Pure functions over a corpus of folded texts.

There is no index on disk, so a deleted text cannot survive in one: the texts are folded once per process and searched as
bytes. UTF-8 is self-synchronising, hence a substring of one character finds exactly that character, Chinese and Japanese
included, with any SQLite. Every term of a query has to occur.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.memory.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_QUERY_BYTES = 1024
MAX_TERMS = 16
TITLE_SCORE, WORD_SCORE, PART_SCORE = 20, 6, 2
"""What each term adds: standing in the title, beginning and ending at the edge of a word, standing anywhere."""

_TERM = re.compile(r'"([^"]+)"|(\S+)')
_CUT = b"\1"  # a title is printable
_MANY = 1_000
_LOOKS = 4
_EXCERPT = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """One searchable memory: the folded title; title, a mark and folded content; `stamp` sorts like its time."""

    id: str
    owner: tuple[str, str]
    title: bytes
    text: bytes
    disabled: bool
    retention_until: str
    stamp: int


Key = tuple[int, int, str]
"""(-score, -stamp, id): ascending is best first, then newest, then by id."""


def fold(text: str) -> str:
    """One form for what people take for the same: compatibility forms, full and half width, upper and lower case."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def entry(row: Sequence[str | int]) -> Entry:
    """An entry from (id, scope, scope_id, title, content, disabled, retention_until, updated_at)."""
    id_, scope, scope_id, title, content, disabled, until, updated_at = row
    head = fold(str(title)).encode()
    body = fold(str(content)).encode()
    stamp = int(str(updated_at).translate(_DIGITS_ONLY))
    return Entry(str(id_), (str(scope), str(scope_id)), head, head + _CUT + body, bool(disabled), str(until), stamp)


_DIGITS_ONLY = {ord(char): None for char in "-:.TZ"}


def terms(query: str) -> tuple[bytes, ...]:
    """The folded terms of a query: words, and phrases in quotes. Raises `UsageError` for none, or too much."""
    if len(query.encode("utf-8", "replace")) > MAX_QUERY_BYTES:
        raise UsageError(
            f"A query has at most {MAX_QUERY_BYTES:,} bytes.",
            code="bad-query",
            limit=MAX_QUERY_BYTES,
            hint="Search for a few words.",
        )
    clean = "".join(char if char.isprintable() else " " for char in query)
    found = dict.fromkeys(
        fold(phrase or word.strip('"')).strip().encode("utf-8", "replace") for phrase, word in _TERM.findall(clean)
    )
    found.pop(b"", None)
    if not 1 <= len(found) <= MAX_TERMS:
        raise UsageError(
            f"A query has 1 to {MAX_TERMS} words.", code="bad-query", limit=MAX_TERMS, hint="Search for a few words."
        )
    return tuple(sorted(found, key=len, reverse=True))


class Corpus:
    """The entries of one state of the database, laid out for searching. Never changed once made.

    They lie newest first, then by id, so that a lower position is the better one of two equal scores. The first search
    scans all text; from the second on a vocabulary tells which entries hold a term.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = tuple(sorted(entries, key=_newest))
        self._texts = [entry.text for entry in self.entries]
        self._asked = False

    @cached_property
    def size(self) -> int:
        """Bytes of folded text."""
        return sum(map(len, self._texts))

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {item.id: position for position, item in enumerate(self.entries)}

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self._texts)

    @cached_property
    def _titles(self) -> Vocabulary:
        return Vocabulary(item.title for item in self.entries)

    @cached_property
    def _by_owner(self) -> dict[tuple[str, str], tuple[set[int], set[int]]]:
        """By owner, the positions that count whatever the time is, and those that a rule has to admit."""
        found: dict[tuple[str, str], tuple[set[int], set[int]]] = {}
        for position, item in enumerate(self.entries):
            always, doubtful = found.setdefault(item.owner, (set(), set()))
            (doubtful if item.disabled or item.retention_until else always).add(position)
        return found

    def top(self, wanted: Sequence[bytes], only: Admission, limit: int, after: Key | None) -> tuple[int, list[Key]]:
        """How many admitted entries hold every term, and the keys of the best `limit` of them behind `after`, in order.

        Past 1,000 entries the edges of words no longer count: such a query names what nearly everything holds.
        """
        places = self._admitted(self._all_holding(wanted), only)
        if len(places) <= _MANY or len(wanted) > 1:
            score = _score if len(places) <= _MANY else _plain_score
            items = map(self.entries.__getitem__, places)
            keys = [(-sum([score(item, term) for term in wanted]), -item.stamp, item.id) for item in items]
            return len(places), best(keys, limit, after)
        titled = places & self._titles.holding(wanted[0], [item.title for item in self.entries])
        groups = ((-TITLE_SCORE, titled), (-PART_SCORE, places - titled))
        keys = [key for score, group in groups for key in self._first(score, group, limit, after)]
        return len(places), keys[:limit]

    def _first(self, score: int, places: set[int], limit: int, after: Key | None) -> list[Key]:
        """The keys of the best places of one score behind `after`."""
        if after is not None and score <= after[0]:
            if score < after[0]:
                return []
            begin = bisect_right(self.entries, (after[1], after[2]), key=_newest)
            places = {place for place in places if place >= begin}
        chosen = (self.entries[place] for place in heapq.nsmallest(limit, places))
        return [(score, -item.stamp, item.id) for item in chosen]

    def _admitted(self, places: set[int], only: Admission) -> set[int]:
        found: set[int] = set()
        for owner in only.owners:
            always, doubtful = self._by_owner.get(owner, (set(), set()))
            found |= places & always
            found.update(place for place in places & doubtful if only.admits(self.entries[place]))
        return found.difference(self._positions[id_] for id_ in only.without if id_ in self._positions)

    def _all_holding(self, wanted: Sequence[bytes]) -> set[int]:
        if not self._asked:
            self._asked = True
            return {place for place, text in enumerate(self._texts) if all(term in text for term in wanted)}
        return set.intersection(*(self._vocabulary.holding(term, self._texts) for term in wanted))


@dataclass(frozen=True, slots=True)
class Admission:
    """Whose memories count, disabled and expired ones only with `everything`; `without` are ids that do not."""

    owners: frozenset[tuple[str, str]]
    now: str = ""
    everything: bool = False
    without: frozenset[str] = frozenset()

    def admits(self, item: Entry) -> bool:
        """Whether an entry of these owners is in force."""
        return self.everything or not (item.disabled or (item.retention_until and self.now >= item.retention_until))


def _newest(item: Entry) -> tuple[int, str]:
    return -item.stamp, item.id


def _score(item: Entry, term: bytes) -> int:
    text = item.text
    start = text.find(term)
    base = _plain_score(item, term)
    for _ in range(_LOOKS):
        end = start + len(term)
        if not (start and _joins(text[start - 1], term[0])) and not (end < len(text) and _joins(text[end], term[-1])):
            return base + WORD_SCORE
        start = text.find(term, start + 1)
        if start < 0 or base > PART_SCORE:
            break
    return base


def _plain_score(item: Entry, term: bytes) -> int:
    return TITLE_SCORE if term in item.title else PART_SCORE


def _joins(outside: int, inside: int) -> bool:
    """Whether two neighbouring bytes belong to one word: letters and digits, and an accented letter beside a plain one."""
    plain = _is_word(outside)
    return (plain and _is_word(inside)) or (outside >= _NOT_ASCII and _is_word(inside))


_NOT_ASCII = 0x80
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")


def _is_word(byte: int) -> bool:
    return byte in _WORD


def best(keys: Iterable[Key], limit: int, after: Key | None) -> list[Key]:
    """The best `limit` keys behind `after`."""
    rest = keys if after is None else [key for key in keys if key > after]
    return heapq.nsmallest(limit, rest)


def excerpt(content: str, wanted: Iterable[bytes]) -> str:
    """One line of content around the first place where a term stands; its beginning where none does."""
    flat = " ".join(content.split())
    low = fold(flat)
    places = [place for term in wanted if (place := low.find(term.decode("utf-8", "replace"))) >= 0]
    start = max(0, min(places, default=0) - _EXCERPT // 2)
    end = start + 2 * _EXCERPT
    return f"{'…' if start else ''}{flat[start:end]}{'…' if end < len(flat) else ''}"
