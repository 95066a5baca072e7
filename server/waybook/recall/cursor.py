"""Cursors of searches: one keyset position and one high-water mark for each source they were made over."""

from __future__ import annotations

from dataclasses import dataclass

from waybook.base.canonical import sha256_hex
from waybook.base.errors import UsageError
from waybook.recall.handle import pack, unpack

_VERSION = 1
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """`high` is the newest record there was when the search began (inclusive); `after` the last one looked at.

    Without `high` the source was empty then, and stays so for this search.
    """

    high: Place | None
    after: Place | None = None


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a search stands. Its sources are those it began with, however many there are by now."""

    run_id: str
    query_sha256: str
    marks: dict[str, Mark]


def query_digest(query: str) -> str:
    """What a cursor is bound to."""
    return sha256_hex(query)[:32]


def write(cursor: Cursor) -> str:
    """The cursor as text."""
    marks = {name: [mark.high, mark.after] for name, mark in cursor.marks.items()}
    return pack([_VERSION, cursor.run_id, cursor.query_sha256, marks])


def parse(text: str, run_id: str, query_sha256: str, shapes: dict[str, tuple[type, ...]]) -> Cursor:
    """The cursor of a text. Raises `UsageError` for another run's or query's, and for one that was not made here.

    `shapes` are the types of each known source's places.
    """
    value = unpack(text)
    bad = UsageError("This cursor belongs to another search.", code="bad-cursor", hint="Search again without a cursor.")
    if not isinstance(value, list) or [type(item) for item in value] != [int, str, str, dict] or value[0] != _VERSION:
        raise bad
    if (value[1], value[2]) != (run_id, query_sha256):
        raise bad
    marks: dict[str, Mark] = {}
    for name, pair in value[3].items():
        if name not in shapes or not isinstance(pair, list) or len(pair) != len(("high", "after")):
            raise bad
        high, after = (_place(item, shapes[name], bad) for item in pair)
        marks[name] = Mark(high, after)
    return Cursor(run_id, query_sha256, marks)


def _place(value: object, shape: tuple[type, ...], bad: UsageError) -> Place | None:
    if value is None:
        return None
    if not isinstance(value, list) or tuple(type(item) for item in value) != shape:
        raise bad
    return tuple(value)
