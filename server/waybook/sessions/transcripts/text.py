"""Text out of transcripts made fit to keep: valid Unicode, bounded in size with a visible note, secrets masked."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from waybook.base.clock import timestamp
from waybook.sessions.transcripts.model import About, Call, Fact, Message, Result, Rewind

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_TEXT = 256 * 1024
"""Characters of one message; more than any prompt or answer that people read."""
MAX_OUTPUT = 64 * 1024
"""Characters of a tool call's arguments or output: what agents themselves show to models is shorter."""
MAX_TITLE = 200
_MARGIN = 4096
_NAMES = 1000
_UNFIT = re.compile("[\x00\ud800-\udfff]")
_USUAL = re.compile(
    r"20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII
)
"""The form in which nearly every time stands; the last days of months take the long way."""
_SPACE = re.compile(r"\s")


def clean(text: str) -> str:
    """The text with NUL and lone surrogates, which no database takes, as U+FFFD."""
    return _UNFIT.sub("�", text) if _UNFIT.search(text) else text


_IDS: dict[type, tuple[str, ...]] = {
    About: ("session", "version", "model", "parent", "parent_call", "forked_from", "fork_point"),
    Message: ("session", "key", "parent"),
    Call: ("session", "key", "call_id", "parent"),
    Result: ("session", "key", "call_id"),
    Rewind: ("session", "key"),
}


def sound(fact: Fact) -> Fact:
    """A fact whose ids a database takes; agents' ids are plain, but a transcript may hold anything."""
    changed: dict[str, Any] = {}
    for name in _IDS.get(type(fact), ()):
        value = getattr(fact, name)
        if not value.isascii() or "\0" in value:
            changed[name] = clean(value)
    return replace(fact, **changed) if changed else fact


class Masking:
    """Makes facts fit to be stored: every text clean, bounded and without secrets. Names, which repeat, are remembered."""

    def __init__(self, mask: Callable[[str], str]) -> None:
        self._mask = mask
        self._names: dict[str, str] = {}

    def fact(self, fact: Fact) -> Fact:
        """The same fact where nothing had to be changed, as is the rule."""
        fact = sound(fact)
        if isinstance(fact, Message):
            text = fit(fact.text, MAX_TEXT, self._mask)
            return fact if text is fact.text else replace(fact, text=text)
        if isinstance(fact, Call):
            arguments, name = fit(fact.arguments, MAX_OUTPUT, self._mask), self._name(fact.name)
            same = arguments is fact.arguments and name == fact.name
            return fact if same else replace(fact, arguments=arguments, name=name)
        if isinstance(fact, Result):
            output, name = fit(fact.output, MAX_OUTPUT, self._mask), self._name(fact.name)
            same = output is fact.output and name == fact.name
            return fact if same else replace(fact, output=output, name=name)
        if isinstance(fact, About):
            # A text is masked before it is cut: half a secret is not recognised any more.
            title = self._mask(clean(fact.title[: MAX_TITLE + _MARGIN])) if fact.title else ""
            branch = self._name(fact.branch)
            return replace(fact, title=one_line(title), cwd=clean(fact.cwd)[:4096], branch=branch)
        return fact

    def _name(self, name: str) -> str:
        if not name:
            return ""
        known = self._names.get(name)
        if known is None:
            if len(self._names) > _NAMES:
                self._names.clear()
            known = self._names[name] = self._mask(clean(name[:_MARGIN]))[:256]
        return known


def fit(text: str, limit: int, mask: Callable[[str], str]) -> str:
    """A clean text without secrets of about `limit` characters: head and tail are kept, the note says what is not."""
    if not text:
        return text
    if len(text) <= limit:
        return mask(clean(text))
    # Cut at white space, so that no secret is left in two halves of which neither is recognised.
    head = _cut(text[: limit * 3 // 4], from_end=True)
    tail = _outside_keys(text, _cut(text[-(limit // 4) :], from_end=False))
    begin = head.rfind("-----BEGIN ")
    if begin >= 0 and head.find("-----END ", begin) < 0:
        head = head[:begin]
    left = len(text) - len(head) - len(tail)
    return f"{mask(clean(head))}\n[... {left:,} characters are not kept here ...]\n{mask(clean(tail))}"


def _cut(text: str, *, from_end: bool) -> str:
    """The text up to the last white space, or from the first on; without a bit at the edge where there is none."""
    edge = text[-_MARGIN:] if from_end else text[:_MARGIN]
    places = [found.start() for found in _SPACE.finditer(edge)]
    if from_end:
        return text[: len(text) - len(edge) + places[-1]] if places else text[:-_MARGIN]
    return text[places[0] :] if places else text[_MARGIN:]


def _outside_keys(text: str, tail: str) -> str:
    """The tail of a text without the rest of a key block that begins before it: alone it would not be recognised."""
    start = len(text) - len(tail)
    begin = text.rfind("-----BEGIN ", 0, start)
    if begin < 0 or text.find("-----END ", begin, start) >= 0:
        return tail
    end = tail.find("-----END ")
    return tail[end:].partition("\n")[2] if end >= 0 else ""


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
            if _USUAL.fullmatch(value):
                return f"{value[:-1]}000Z"
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
