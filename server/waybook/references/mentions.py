r"""Mentions of sessions in a prompt: `@[label](dsh-session:...)` and the bare URI.

In a label `\` stands before `\` and `]`. A mention with a malformed URI is an error; the bare scheme is plain text unless
a payload of base64url characters follows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.text import Span
from waybook.references.uri import SCHEME, decode_uri, encode_uri

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""White space as JavaScript's patterns have it, by which the original reads a mention's end."""
_START = re.compile(rf"@\[|{SCHEME}[A-Za-z0-9_-]+")
_LABEL = re.compile("(?:\\\\[^\\n\\r\u2028\u2029]|[^\\\\\\]])*")
_TARGET = f"]({SCHEME}"
_URI = re.compile(f"[^{_SPACE})]*")
_ESCAPED = re.compile("\\\\([^\\n\\r\u2028\u2029])")


@dataclass(frozen=True, slots=True)
class Reference:
    """A session named in a text, and how the text calls it."""

    session_id: str
    label: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention as it stands in a text. `label` is None for a bare URI; `uri` is not yet checked."""

    span: Span
    uri: str
    label: str | None

    def reference(self) -> Reference:
        """The session meant. Raises `UsageError` with the place for a malformed URI."""
        session_id = decode_uri(self.uri, self.span.start)
        return Reference(session_id, session_id if self.label is None else self.label)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A prompt as people read it (`@label` where a mention stood), and every session it names, repeats included."""

    text: str
    references: tuple[Reference, ...]


def format_mention(session_id: str, label: str | None = None) -> str:
    """`@[label](uri)`; without a label the id is the label. `parse` gives both back."""
    shown = session_id if label is None else label
    escaped = shown.replace("\\", "\\\\").replace("]", "\\]")
    return f"@[{escaped}]({encode_uri(session_id)})"


def mentions(text: str) -> Iterator[Mention]:
    """Every mention in order, in time linear in the text: where labels or URIs overlap, their end is looked up once."""
    at, label_end, uri_end = 0, -1, -1
    while (start := _START.search(text, at)) is not None:
        at = start.end()
        if start[0] != "@[":
            yield Mention(Span(*start.span()), start[0], None)
            continue
        if label_end < at:
            label_end = _end(_LABEL, text, at)
        if not text.startswith(_TARGET, label_end):
            continue
        uri_start = label_end + 2
        if uri_end < uri_start:
            uri_end = _end(_URI, text, uri_start)
        if text.startswith(")", uri_end):
            yield Mention(
                Span(start.start(), uri_end + 1), text[uri_start:uri_end], _ESCAPED.sub(r"\1", text[at:label_end])
            )
            at = uri_end + 1


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Where the run of a pattern's characters ends; one that begins later inside the run ends at the same place."""
    match = pattern.match(text, start)
    return match.end() if match is not None else start


def parse(text: str) -> Parsed:
    """The readable prompt and its references. Raises `UsageError` (INVALID_REFERENCE) for the first malformed one."""
    parts: list[str] = []
    found: list[Reference] = []
    end = 0
    for mention in mentions(text):
        reference = mention.reference()
        parts += [text[end : mention.span.start], f"@{reference.label}"]
        found.append(reference)
        end = mention.span.end
    return Parsed("".join([*parts, text[end:]]), tuple(found))
