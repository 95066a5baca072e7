"""Secrets that show by their texture: vendors' tokens, private key blocks, and runs that the engine should judge.

Almost every token holds a digit in a run of seventeen or more characters; one search for that is the whole cost of an
ordinary text.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, NamedTuple

from waybook.secrets.shapes import PREFIX, beginnings, by_prefix, may_be_loose
from waybook.secrets.values import MIN_RANDOM, looks_random, plain_digest, stands_in_token

if TYPE_CHECKING:
    from collections.abc import Iterator


class Found(NamedTuple):
    """A rule and the `str` offsets of what it found."""

    rule: str
    start: int
    end: int


# A digit with eight more characters of a run behind it, or nine before it: any run of seventeen that holds a digit.
_DIGIT = re.compile(r"[0-9](?:[\w+/=-]{8}|(?<=[\w+/=-]{9}))", re.ASCII)
_DIGITLESS = ("AKIA", "ASIA", "k_live_", "glpat-")  # short bodies that chance leaves without a digit now and then
_REGION = re.compile(r"[\w+/=.:~-]+", re.ASCII)
_REGION_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.:~-"
_WORD_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/")
_DIGITLESS_REACH = 8  # characters: enough for the word's start; a shape reads on as far as it goes
_WORD = re.compile(r"[A-Za-z0-9][\w-]*", re.ASCII)
_LONG_WORD = re.compile(r"[A-Za-z0-9][\w-]{15,}", re.ASCII)
_ENCODED_FILE = 4096  # characters in one run: an encoded file, of which only its long words are looked at
_DIGEST_BEFORE = re.compile(r"(?:base64,|sha(?:1|256|384|512)[-:=]|md5[-:=])$", re.IGNORECASE)
_INTEGRITY = re.compile(r"(?:sha(?:1|224|256|384|512)|md5|h1|blake[23]\w*|go\.sum)[-:=_]", re.IGNORECASE)
_PEM = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?P<body>(?:\s|\\[nrt]|[A-Za-z0-9+/=]|[A-Za-z0-9-]{1,20}: ?[^\n]{0,80}\n|[\"'>|,+]){40,20000})"
    r"(?P<end>-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)?",
)
_PEM_BODY = re.compile(r"[A-Za-z0-9+/]{16,}")
_MIN_KEY = 40  # base64 characters: the shortest private keys in use (32 bytes) need more


def key_blocks(flat: str) -> Iterator[Found]:
    """Private key blocks with material in them, header and end included."""
    place = flat.find("-----BEGIN ")
    while place >= 0:
        match = _PEM.match(flat, place)
        if match is None:
            place = flat.find("-----BEGIN ", place + 1)
            continue
        runs = list(_PEM_BODY.finditer(flat, match.start("body"), match.end("body")))
        body = "".join(run[0] for run in runs)
        if len(body) >= _MIN_KEY and len(set(body)) > 8 and not stands_in_token(body):  # noqa: PLR2004 - base64 of anything real has dozens
            # A block without its end stops at its last line of key material, not at the prose behind it.
            yield Found("private-key", match.start(), match.end() if match["end"] else runs[-1].end())
        place = flat.find("-----BEGIN ", match.end())


def regions(flat: str) -> Iterator[tuple[int, int]]:
    """Yield the runs of token characters, with dots and colons, around each long digit-bearing run; none overlap."""
    place = 0
    while (hit := _DIGIT.search(flat, place)) is not None:
        start = _run_start(flat, hit.start(), place)
        region = _REGION.match(flat, start)
        end = region.end() if region else hit.end()
        yield start, end
        place = end


def _run_start(flat: str, inside: int, first: int) -> int:
    """Where the run of token characters around an offset begins, not before `first`."""
    reach = 64
    while True:
        begin = max(first, inside - reach)
        start = begin + len(flat[begin:inside].rstrip(_REGION_CHARACTERS))
        if start > begin or begin == first:
            return start
        reach *= 4


def digitless(flat: str) -> Iterator[tuple[int, int]]:
    """Yield the places of well-known prefixes at the start of a word; their tokens may hold no digit at all."""
    for prefix in _DIGITLESS:
        place = flat.find(prefix)
        while place >= 0:
            start = place - 1 if prefix.startswith("k_") and place else place
            if start == 0 or flat[start - 1] not in _WORD_CHARACTERS:
                yield start, min(len(flat), start + _DIGITLESS_REACH)
            place = flat.find(prefix, place + len(prefix))


def shaped(flat: str, start: int, end: int) -> Iterator[Found]:
    """Vendors' tokens in a region, each at the start of a word."""
    words = _WORD if end - start <= _ENCODED_FILE else _LONG_WORD
    if not _may_be_shaped(flat, start, end, words):
        return
    table, loose = by_prefix()
    place = start
    while (word := words.search(flat, place, end)) is not None:
        place = word.end()
        for begin in _beginnings(flat, word.start(), word.end()):
            found = _match(flat, begin, table.get(flat[begin : begin + PREFIX], ()))
            if found is None and begin == word.start():
                found = _match(flat, begin, loose)
            if found is not None:
                yield found
                place = max(place, found.end)
                break


def _may_be_shaped(flat: str, start: int, end: int, words: re.Pattern[str]) -> bool:
    """Whether a region is worth a look word by word: most hold no word that begins like a token."""
    if start and flat[start - 1] in "\\%":
        return True
    heads = beginnings()
    for word in words.findall(flat, start, end):
        known = heads.get(word[:PREFIX])
        if known is not None and word.startswith(known):
            return True
    return may_be_loose(flat, start, end)


def _beginnings(flat: str, start: int, end: int) -> Iterator[int]:
    """Yield where a token may begin in a word: at its start, or behind an escape (of a line end, of a URL)."""
    yield start
    if start and flat[start - 1] == "\\":
        yield start + 1
    if start and flat[start - 1] == "%" and end - start > 2:  # noqa: PLR2004 - the two digits of a URL escape
        yield start + 2


def _match(flat: str, begin: int, shapes: tuple[tuple[str, re.Pattern[str]], ...]) -> Found | None:
    for rule, pattern in shapes:
        match = pattern.match(flat, begin)
        if match is not None and not stands_in_token(match[0]) and not _documented(rule, match[0]):
            return Found(rule, begin, match.end())
    return None


def _documented(rule: str, value: str) -> bool:
    """Whether a JSON Web Token is the one that manuals show: a subject that counts from 1 to 0, "John Doe"."""
    if rule != "jwt":
        return False
    payload = value.split(".")[1]
    try:
        claims = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
    except (ValueError, binascii.Error):
        return False
    return b'"1234567890"' in claims or b"John Doe" in claims


def suspicious(flat: str, start: int, end: int) -> bool:
    """Whether a region holds a run that only the engine can judge: random in texture, no digest, no identifier."""
    if end - start < MIN_RANDOM or end - start > _ENCODED_FILE:
        return False
    words = [word for word in _WORD.findall(flat, start, end) if len(word) >= MIN_RANDOM]
    if not words or _DIGEST_BEFORE.search(flat, max(0, start - 12), start):
        return False
    region = flat[start:end]
    if _INTEGRITY.match(region) or "base64," in flat[max(0, start - 8) : start]:
        return False
    return any(looks_random(word) and not plain_digest(word) and not stands_in_token(word) for word in words)
