"""What parsed Markdown is made of: leaf blocks, and the pieces of inline text in them, with their places."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

from waybook.base.text import Span

BlockKind = Literal["paragraph", "heading", "cell", "fence", "html"]
PieceKind = Literal["text", "code", "link", "image", "autolink", "html"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of one kind inside a block. `start` and `end` are offsets in the block's content.

    `text` is what stands between the delimiters of a code span, the destination of a link, image or autolink, and the
    source itself for text and HTML. `inner` is where `text` begins in the content.
    """

    kind: PieceKind
    start: int
    end: int
    text: str
    inner: int


@dataclass(frozen=True, slots=True)
class Block:
    """A leaf block. `span` covers its source lines; `content` is its text without the markers of what it lies in.

    `anchors` are (offset in the content, offset in the source) of each line's begin, ascending; `listed` when it is the
    first block of a list item; `info` is a fence's language or a heading's level (`h2`); `table` spans the table a cell belongs to;
    `heading` is the text of the heading above, "" before the first.
    """

    kind: BlockKind
    span: Span
    content: str
    anchors: tuple[tuple[int, int], ...]
    pieces: tuple[Piece, ...] = ()
    listed: bool = False
    info: str = ""
    table: Span | None = None
    heading: str = ""

    def source(self, start: int, end: int) -> Span:
        """The source span of a stretch of the content."""
        first = self._at(start)
        return Span(first, max(first, self._at(end - 1) + 1 if end > start else first))

    def _at(self, offset: int) -> int:
        content_at, source_at = self.anchors[max(0, bisect_right(self.anchors, (offset, 1 << 60)) - 1)]
        return source_at + offset - content_at
