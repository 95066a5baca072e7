"""Text out of transcripts made fit to keep: valid Unicode, bounded in size with a visible note, secrets masked."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from waybook.base.clock import timestamp
from waybook.sessions.transcripts.model import About, Call, Fact, Message, Result

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_TEXT = 256 * 1024
"""Characters of one message; more than any prompt or answer that people read."""
MAX_OUTPUT = 64 * 1024
"""Characters of a tool call's arguments or output: what agents themselves show to models is shorter."""
MAX_TITLE = 200
_MARGIN = 4096
_UNFIT = re.compile("[\x00\ud800-\udfff]")
_SPACE = re.compile(r"\s")


def clean(text: str) -> str:
    """The text with NUL and lone surrogates, which no database takes, as U+FFFD."""
    return _UNFIT.sub("�", text) if _UNFIT.search(text) else text


def masked(fact: Fact, mask: Callable[[str], str]) -> Fact:
    """A fact fit to be stored: every text clean, bounded and without secrets."""
    match fact:
        case Message():
            return replace(fact, text=fit(fact.text, MAX_TEXT, mask))
        case Call():
            return replace(fact, arguments=fit(fact.arguments, MAX_OUTPUT, mask), name=mask(clean(fact.name)[:256]))
        case Result():
            return replace(fact, output=fit(fact.output, MAX_OUTPUT, mask), name=mask(clean(fact.name)[:256]))
        case About():
            # A text is masked before it is cut: half a secret is not recognised any more.
            title = mask(clean(fact.title[: MAX_TITLE + _MARGIN]))
            return replace(
                fact,
                title=one_line(title),
                cwd=clean(fact.cwd)[:4096],
                branch=mask(clean(fact.branch)[:_MARGIN])[:256],
            )
        case _:
            return fact


def fit(text: str, limit: int, mask: Callable[[str], str]) -> str:
    """A clean text without secrets of about `limit` characters: head and tail are kept, the note says what is not."""
    if len(text) <= limit:
        return mask(clean(text)) if text else ""
    # Cut at white space, so that no secret is left in two halves of which neither is recognised.
    head = _cut(text[: limit * 3 // 4], from_end=True)
    tail = _cut(text[-(limit // 4) :], from_end=False)
    left = len(text) - len(head) - len(tail)
    return f"{mask(clean(head))}\n[... {left:,} characters are not kept here ...]\n{mask(clean(tail))}"


def _cut(text: str, *, from_end: bool) -> str:
    """The text up to the last white space, or from the first on; without a bit at the edge where there is none."""
    edge = text[-_MARGIN:] if from_end else text[:_MARGIN]
    places = [found.start() for found in _SPACE.finditer(edge)]
    if from_end:
        return text[: len(text) - len(edge) + places[-1]] if places else text[:-_MARGIN]
    return text[places[0] :] if places else text[_MARGIN:]


def one_line(text: str) -> str:
    """A title: one line of at most 200 characters."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_TITLE else line[: MAX_TITLE - 1] + "…"


def moment(value: Any) -> str:
    """A time of a record (RFC 3339 text, or milliseconds since 1970) as Waybook writes times; "" for anything else."""
    try:
        if isinstance(value, bool):
            return ""
        if isinstance(value, int | float):
            return timestamp(datetime.fromtimestamp(value / 1000, UTC))
        if isinstance(value, str) and value:
            found = datetime.fromisoformat(value)
            return timestamp(found if found.tzinfo else found.replace(tzinfo=UTC))
    except (ValueError, OverflowError, OSError):
        return ""
    return ""


def words(value: Any) -> str:
    """A value as text: strings as they are, anything else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def text_of(value: Any) -> str:
    """A text field that may be missing or of another type."""
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> dict[str, Any]:
    """An object field that may be missing or of another type."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """A list field that may be missing or of another type."""
    return value if isinstance(value, list) else []
