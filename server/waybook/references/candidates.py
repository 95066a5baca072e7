"""Which sessions can be mentioned here: found by id, working directory and title, those of the same directory first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.references.mentions import format_mention
from waybook.references.uri import encode_uri

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.references.model import SessionRecord

MAX_CANDIDATES = 50
MAX_LABEL = 80
"""Characters of a label: a title may be a whole paragraph, a mention stands in a line."""
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A session to mention. `id`, `label` and `cwd` are safe to show; `uri` and `mention` keep the id as it is."""

    id: str
    label: str
    cwd: str
    same_cwd: bool
    agent: str
    updated_at: str
    messages: int
    uri: str
    mention: str


def visible(text: str) -> str:
    r"""The text with what a terminal would obey or hide (controls, directions, half surrogates) written as `\x1b`."""
    return _UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def label_of(record: SessionRecord) -> str:
    """The title on one line of at most 80 characters; the id where there is no title."""
    line = visible(" ".join(record.title.split()) or record.id)
    return line if len(line) <= MAX_LABEL else f"{line[: MAX_LABEL - 1].rstrip()}…"


def choose(
    records: Iterable[SessionRecord], query: str, cwd: str = "", session: str = "", limit: int = MAX_CANDIDATES
) -> tuple[Candidate, ...]:
    """The candidates whose id, working directory or title hold every word of the query, in any case.

    Those of `cwd` come first, then those above or below it, then the others, each in the order given. `session` (the
    one that asks) is left out. Raises `UsageError` for a limit outside 1 to 50.
    """
    if not 1 <= limit <= MAX_CANDIDATES:
        raise UsageError(
            f"A list has 1 to {MAX_CANDIDATES} candidates.",
            code="bad-limit",
            limit=MAX_CANDIDATES,
            hint="Pass another limit.",
        )
    words = query.casefold().split()
    found = [record for record in records if not record.known_as(session) and _holds(record, words)]
    ranked = sorted(found, key=lambda record: _distance(record.cwd, cwd))
    return tuple(_candidate(record, cwd) for record in ranked[:limit])


def _holds(record: SessionRecord, words: list[str]) -> bool:
    text = f"{record.id}\n{record.native_id}\n{record.cwd}\n{record.title}".casefold()
    return all(word in text for word in words)


def _distance(cwd: str, own: str) -> int:
    if not cwd or not own:
        return 2
    if cwd == own:
        return 0
    return 1 if _below(cwd, own) or _below(own, cwd) else 2


def _below(path: str, parent: str) -> bool:
    return path.startswith(parent.rstrip("/\\") + ("\\" if "\\" in parent and "/" not in parent else "/"))


def _candidate(record: SessionRecord, cwd: str) -> Candidate:
    label = label_of(record)
    return Candidate(
        id=visible(record.id),
        label=label,
        cwd=visible(record.cwd),
        same_cwd=bool(cwd) and record.cwd == cwd,
        agent=visible(record.agent),
        updated_at=record.updated_at,
        messages=record.messages,
        uri=encode_uri(record.id),
        mention=format_mention(record.id, label),
    )
