"""Offsets and protocol positions, against Python's own codecs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.base.text import LineIndex, Span

PIECES = ["a", "é", "測", "🚀", "\n", "\r", "\r\n", "\u2028", "\f", "\x85"]
TEXTS = st.lists(st.sampled_from(PIECES)).map("".join) | st.text(st.characters(exclude_categories=["Cs"]))
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def units(text: str, encoding: str) -> int:
    codec, width = CODECS[encoding]
    return len(text.encode(codec)) // width


@pytest.mark.parametrize("encoding", CODECS)
@given(text=TEXTS, data=st.data())
def test_position_agrees_with_the_codec_and_comes_back(encoding, text, data):
    """The character is the number of code units since the line's start; converting back gives the offset."""
    index = LineIndex(text)
    offset = data.draw(st.integers(0, len(text)))
    line, character = index.position(offset, encoding)
    span = index.line_span(line)
    assert character == units(text[span.start : min(offset, span.end)], encoding)
    assert index.offset(line, character, encoding) == min(offset, span.end)


@given(TEXTS)
def test_lines_are_those_of_the_protocol(text):
    """Only LF, CRLF and CR end a line."""
    index = LineIndex(text)
    lines = re.split(r"\r\n|\n|\r", text)
    assert index.line_count == len(lines)
    assert [text[index.line_span(n).start : index.line_span(n).end] for n in range(len(lines))] == lines


@pytest.mark.parametrize("encoding", CODECS)
@given(text=TEXTS, line=st.integers(-2, 50), character=st.integers(-5, 100))
def test_any_position_is_clamped(encoding, text, line, character):
    """Positions outside the text give an offset inside it, never past the line's end."""
    index = LineIndex(text)
    offset = index.offset(line, character, encoding)
    assert 0 <= offset <= len(text)
    if 0 <= line < index.line_count:
        assert index.line_span(line).start <= offset <= index.line_span(line).end


def test_inside_a_character():
    """A position inside a surrogate pair or a UTF-8 sequence falls back to the character's start."""
    index = LineIndex("a🚀b")
    assert [index.offset(0, n, "utf-16") for n in range(5)] == [0, 1, 1, 2, 3]
    assert [index.offset(0, n, "utf-8") for n in range(7)] == [0, 1, 1, 1, 1, 2, 3]


def test_span():
    """A span is half-open and never negative."""
    assert 1 in Span(1, 3)
    assert 3 not in Span(1, 3)
    with pytest.raises(ValueError, match="start <= end"):
        Span(2, 1)
