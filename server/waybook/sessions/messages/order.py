"""The order in which messages are shown: as they were written, but none before the one it follows; gaps marked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.sessions.messages.model import Message


def arranged(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Messages of one session by `seq`; one that was written before its parent moves behind it, whatever the depth."""
    rows = list(messages)
    known = {row.key for row in rows}
    out: list[Message] = []
    placed: set[str] = set()
    waiting: dict[str, list[Message]] = {}
    for row in rows:
        if row.parent in known and row.parent not in placed and row.parent != row.key:
            waiting.setdefault(row.parent, []).append(row)
            continue
        todo = [row]
        while todo:
            one = todo.pop()
            gap = bool(one.parent) and one.parent not in known
            out.append(replace(one, gap=True) if gap else one)
            placed.add(one.key)
            todo += reversed(waiting.pop(one.key, []))
    # What is left follows itself in a circle: shown at the end rather than lost.
    rest = sorted((row for rows in waiting.values() for row in rows), key=lambda row: row.seq)
    return (*out, *(replace(row, gap=True) for row in rest))


def taken_over(messages: Iterable[Message], point: str) -> tuple[Message, ...]:
    """The messages before the record at which a fork left; keys of such formats begin with the record's number."""
    limit = int(point) if point.isdecimal() else None
    return tuple(message for message in messages if limit is None or _number(message.key) < limit)


def _number(key: str) -> int:
    head = key.partition("-")[0]
    return int(head) if head.isdecimal() else 0
