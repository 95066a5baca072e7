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
from itertools import accumulate
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MAX_QUERY_BYTES = 1024
MAX_TERMS = 16
TITLE_SCORE, WORD_SCORE, PART_SCORE = 20, 6, 2
"""What each term adds: standing in the title, beginning and ending at the edge of a word, standing anywhere."""

_TERM = re.compile(r'"([^"]+)"|(\S+)')
_BETWEEN, _CUT = b"\0", b"\1"  # records hold no NUL; a title is printable
_MANY = 1_000
_LOOKS = 4
_COMMON, _SAMPLE = 8, 32
"""A term that more than one in eight entries holds, by the first 32 found, is looked up entry by entry."""
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
    """The entries of one state of the database, laid out for searching. Never changed once made."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = tuple(entries)
        self._blob = _BETWEEN.join(entry.text for entry in self.entries)
        self._starts = [0, *accumulate(len(entry.text) + 1 for entry in self.entries)]

    @property
    def size(self) -> int:
        """Bytes of folded text."""
        return len(self._blob)

    def find(self, wanted: Sequence[bytes], admit: Callable[[Entry], bool]) -> list[Key]:
        """The keys of the admitted entries that hold every term, in no order.

        Past 1,000 entries the edges of words no longer count: such a query names what nearly everything holds.
        """
        first, *others = wanted
        items = self._holding(first)
        if others:
            items = [item for item in items if all(term in item.text for term in others)]
        items = [item for item in items if admit(item)]
        if len(items) > _MANY and not others:
            title, part = -TITLE_SCORE, -PART_SCORE
            return [(title if first in item.title else part, -item.stamp, item.id) for item in items]
        score = _score if len(items) <= _MANY else _plain_score
        return [(-sum([score(item, term) for term in wanted]), -item.stamp, item.id) for item in items]

    def _holding(self, term: bytes) -> list[Entry]:
        """The entries that hold a term: rare terms by one scan of everything, common ones entry by entry."""
        search, blob, starts, entries = re.compile(re.escape(term)).search, self._blob, self._starts, self.entries
        found: list[Entry] = []
        place = 0
        while place < len(entries):
            match = search(blob, starts[place])
            if match is None:
                break
            place = bisect_right(starts, match.start())
            found.append(entries[place - 1])
            if len(found) * _COMMON > place and len(found) >= _SAMPLE:
                found += [item for item in entries[place:] if term in item.text]
                break
        return found


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
