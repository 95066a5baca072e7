"""What the editor has open: texts by URI, changed in place as the editor tells it, positions in the agreed encoding."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from waybook.base.text import Encoding, LineIndex, Span
from waybook.base.uris import uri_key, uri_to_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Place = tuple[int, int]
"""(line, character) in the agreed encoding."""


@dataclass(frozen=True, slots=True)
class Change:
    """One edit: `start` and `end` None means the whole text."""

    text: str
    start: Place | None = None
    end: Place | None = None


def apply_changes(text: str, changes: Iterable[Change], encoding: Encoding) -> str:
    """The text after every change, each applied to the result of the one before.

    Positions past a line's or the text's end are clamped; an end before its start is taken as the start.
    """
    for change in changes:
        if change.start is None or change.end is None:
            text = change.text
            continue
        lines = LineIndex(text)
        start = lines.offset(*change.start, encoding)
        end = max(start, lines.offset(*change.end, encoding))
        text = text[:start] + change.text + text[end:]
    return text


@dataclass(slots=True)
class OpenDocument:
    """A document as the editor shows it. `uri` keeps the editor's spelling; `path` is None for what is no file."""

    uri: str
    path: str | None
    version: int
    text: str
    _lines: LineIndex | None = field(default=None, repr=False)

    @property
    def lines(self) -> LineIndex:
        """Where the lines of the current text begin."""
        if self._lines is None or self._lines.text is not self.text:
            self._lines = LineIndex(self.text)
        return self._lines

    def offset(self, place: Place, encoding: Encoding) -> int:
        """The `str` offset of a position, clamped to the text."""
        return self.lines.offset(*place, encoding)

    def span(self, start: Place, end: Place, encoding: Encoding) -> Span:
        """The span between two positions, clamped."""
        first = self.offset(start, encoding)
        return Span(first, max(first, self.offset(end, encoding)))


class Documents:
    """The open documents. Touched by the event loop only.

    A URI is looked up by its key, so that `%20` and `+`, or `C:` and `c%3A`, name one document.
    """

    def __init__(self) -> None:
        self._open: dict[str, OpenDocument] = {}

    def open(self, uri: str, version: int, text: str) -> OpenDocument:
        """Start to follow a document; one that is open already is replaced."""
        document = OpenDocument(uri, uri_to_path(uri), version, text)
        self._open[uri_key(uri)] = document
        return document

    def change(self, uri: str, version: int, changes: Iterable[Change], encoding: Encoding) -> OpenDocument | None:
        """Apply one notification's changes; None for a document that was never opened."""
        document = self.get(uri)
        if document is not None:
            document.text = apply_changes(document.text, changes, encoding)
            document.version = version
        return document

    def close(self, uri: str) -> OpenDocument | None:
        """Forget a document; the disk is the truth again."""
        return self._open.pop(uri_key(uri), None)

    def get(self, uri: str) -> OpenDocument | None:
        """The open document of this URI."""
        return self._open.get(uri_key(uri))

    def __iter__(self) -> Iterator[OpenDocument]:
        return iter(list(self._open.values()))
