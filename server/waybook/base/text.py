"""Spans in text, and the line index that turns offsets into protocol positions and back.

Inside Waybook a position is an offset into a Python `str`. Lines end at LF, CRLF or CR only (the Language Server
Protocol's rule), never at form feed, U+0085 or U+2028 as `str.splitlines` would have it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of `str` offsets: `start` inclusive, `end` exclusive."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            msg = f"a span needs 0 <= start <= end, got {self.start}..{self.end}"
            raise ValueError(msg)

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end


def _width(text: str, encoding: Encoding) -> int:
    """The length of `text` in code units of `encoding`; a lone surrogate counts as one character of its plane."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text) + sum(1 for char in text if char > "\uffff")
    return len(text.encode("utf-8", "surrogatepass"))


class LineIndex:
    """Where the lines of one text begin; converts offsets to (line, character) in a negotiated encoding.

    Lines and characters count from 0. Positions past the end of a line or of the text are clamped, and a position
    inside a surrogate pair or a UTF-8 sequence falls back to the character's start, as the protocol asks.
    """

    __slots__ = ("_ends", "starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0]
        self._ends: list[int] = []
        for match in _LINE_END.finditer(text):
            self._ends.append(match.start())
            self.starts.append(match.end())
        self._ends.append(len(text))

    @property
    def line_count(self) -> int:
        """The number of lines; an empty text has one."""
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The line that holds `offset` (clamped to the text)."""
        return bisect_right(self.starts, max(0, min(offset, len(self.text)))) - 1

    def line_span(self, line: int) -> Span:
        """The span of a line without its line end; lines past the end give the empty span at the end."""
        if line < 0:
            return Span(0, 0)
        if line >= len(self.starts):
            return Span(len(self.text), len(self.text))
        return Span(self.starts[line], self._ends[line])

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """(line, character) of an offset; an offset inside CRLF counts as the end of its line."""
        offset = max(0, min(offset, len(self.text)))
        line = self.line_of(offset)
        start = self.starts[line]
        return line, _width(self.text[start : min(offset, self._ends[line])], encoding)

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """The offset of (line, character), clamped to the line and to the text."""
        span = self.line_span(line)
        if character <= 0 or line < 0:
            return span.start
        content = self.text[span.start : span.end]
        if encoding == "utf-32" or content.isascii():
            return span.start + min(character, len(content))
        units = 0
        for index, char in enumerate(content):
            units += _width(char, encoding)
            if units > character:
                return span.start + index
        return span.end
