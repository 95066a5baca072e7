"""Where the secrets of a text stand."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from waybook.base.text import Span
from waybook.secrets.model import Secret

if TYPE_CHECKING:
    from waybook.secrets.tokens import Found


def find(text: str) -> tuple[Secret, ...]:
    """Find the secrets of `text`, in order, without overlaps; each further place of the same value is a finding too.

    The same text always gives the same answer. The engine is loaded only when a run of random texture remains that no
    rule of our own explains, and may then raise `UnavailableError`: a text that cannot be checked is not called clean.
    """
    if len(text) > _MEMO_TEXT or "-----BEGIN " in text:
        return _look(text)[0]
    unknown = [line for line in text.split("\n") if line not in _clean]
    if not unknown:
        return ()
    rest = "\n".join(unknown)
    found, doubtful = _look(rest)
    if found or doubtful:
        return found if rest == text else _look(text)[0]
    if len(_clean) + len(unknown) > _MEMO_LINES:
        _clean.clear()
    _clean.update(line for line in unknown if len(line) <= _MEMO_LINE)
    return ()


_clean: set[str] = set()
"""Lines of which no rule makes anything. Only a private key's block spans lines, so a text of such lines has no secret."""
_MEMO_LINES, _MEMO_LINE, _MEMO_TEXT = 8_192, 400, 65_536
"""Lines remembered, and the characters of a line and of a text up to which they are."""


def _look(text: str) -> tuple[tuple[Secret, ...], bool]:
    """The secrets of a text, and whether the engine had to be asked."""
    from waybook.secrets import assignments, tokens  # 10 ms of patterns, at first use

    flat = text if text.isascii() else text.encode("ascii", "replace").decode("ascii")  # one character for one
    low = flat.lower()
    shaped_regions = [(start, end, list(tokens.shaped(flat, start, end))) for start, end in tokens.regions(flat)]
    found = [
        *(item for _, _, shaped in shaped_regions for item in shaped),
        *(item for start, end in tokens.digitless(flat) for item in tokens.shaped(flat, start, end)),
        *tokens.key_blocks(flat),
        *assignments.named(flat, low),
        *assignments.headers(flat, low),
        *assignments.user_options(flat),
        *assignments.userinfo(flat),
        *assignments.connections(flat),
        *assignments.cjk(text),
    ]
    known = _merge(found)
    doubtful = any(
        not shaped and not _covered(known, start, end) and tokens.suspicious(flat, start, end)
        for start, end, shaped in shaped_regions
    )
    if doubtful:
        found += _judged(text)
    return (_merge(_repeated(text, found)) if found else ()), doubtful


def _covered(known: tuple[Secret, ...], start: int, end: int) -> bool:
    """Whether one of the findings, which are in order and apart, meets the range."""
    place = bisect_left(known, end, key=lambda each: each.span.start)
    return place > 0 and known[place - 1].span.end > start


def _judged(text: str) -> list[Found]:
    from waybook.secrets import engine, tokens  # the engine is for doubtful texts only
    from waybook.secrets.values import plain_digest, stands_in, stands_in_token

    kept = []
    for rule, start, end in engine.scan(text):
        value = text[start:end]
        if not (plain_digest(value) or stands_in_token(value) or stands_in(value)):
            kept.append(tokens.Found(rule, start, end))
    return kept


def _repeated(text: str, found: list[Found]) -> list[Found]:
    """Add to the findings every other place where one of their values stands."""
    from waybook.secrets.tokens import Found

    rules: dict[str, str] = {}
    for item in found:
        rules.setdefault(text[item.start : item.end], item.rule)
    extra = []
    for value, rule in rules.items():
        place = text.find(value)
        while place >= 0:
            extra.append(Found(rule, place, place + len(value)))
            place = text.find(value, place + len(value))
    return found + extra


def _merge(found: list[Found]) -> tuple[Secret, ...]:
    """Order the findings; overlapping ones become one, named by the rule that covers most (ties: the first found)."""
    merged: list[list[int]] = []
    rules: list[tuple[int, str]] = []
    for item in sorted(found, key=lambda each: each.start):
        if merged and item.start < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], item.end)
            if item.end - item.start > rules[-1][0]:
                rules[-1] = (item.end - item.start, item.rule)
        else:
            merged.append([item.start, item.end])
            rules.append((item.end - item.start, item.rule))
    return tuple(Secret(rule, Span(start, end)) for (start, end), (_, rule) in zip(merged, rules, strict=True))
