"""Where the secrets of a text stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.text import Span
from waybook.secrets import assignments, tokens
from waybook.secrets.model import Secret
from waybook.secrets.values import plain_digest, stands_in, stands_in_token

if TYPE_CHECKING:
    from waybook.secrets.tokens import Found


def find(text: str) -> tuple[Secret, ...]:
    """Find the secrets of `text`, in order, without overlaps; each further place of the same value is a finding too.

    The same text always gives the same answer. The engine is loaded only when a run of random texture remains that no
    rule of our own explains, and may then raise `UnavailableError`: a text that cannot be checked is not called clean.
    """
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
    if any(
        not shaped and not _covered(found, start, end) and tokens.suspicious(flat, start, end)
        for start, end, shaped in shaped_regions
    ):
        found += _judged(text)
    if not found:
        return ()
    return _merge(_repeated(text, found))


def _covered(found: list[Found], start: int, end: int) -> bool:
    return any(item.start < end and start < item.end for item in found)


def _judged(text: str) -> list[Found]:
    from waybook.secrets import engine  # the engine is for doubtful texts only

    kept = []
    for rule, start, end in engine.scan(text):
        value = text[start:end]
        if not (plain_digest(value) or stands_in_token(value) or stands_in(value)):
            kept.append(tokens.Found(rule, start, end))
    return kept


def _repeated(text: str, found: list[Found]) -> list[Found]:
    """Add to the findings every other place where one of their values stands."""
    rules: dict[str, str] = {}
    for item in found:
        rules.setdefault(text[item.start : item.end], item.rule)
    extra = []
    for value, rule in rules.items():
        place = text.find(value)
        while place >= 0:
            extra.append(tokens.Found(rule, place, place + len(value)))
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
