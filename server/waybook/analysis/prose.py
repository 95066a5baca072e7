"""Sentences of instruction text: the units in which rules repeat or contradict one another."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from waybook.analysis.markdown import Block, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.base.text import Span

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"'(])|(?<=[。！？；])|(?<=[:：])[ \t]*\n")
_SPACE = re.compile(r"\s+")
_MARKS = str.maketrans("", "", "`*_\"'“”‘’")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence. `normal` is it in lower case without markup, runs of white space and the final mark.

    `heading` is the heading above it ("" below a title, `h1`) and `lead` the last line before it that ends in a colon, both normalised.
    """

    span: Span
    text: str
    normal: str
    heading: str = ""
    lead: str = ""


@lru_cache(maxsize=256)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a document's paragraphs and list items, in source order; headings, tables and code are none."""
    found: list[Sentence] = []
    heading = lead = ""
    for block in parse(text).blocks:
        if block.kind == "heading":
            heading, lead = "" if block.info == "h1" else normalise(block.content), ""
        elif block.kind == "paragraph":
            for sentence in _of_block(block):
                found.append(replace(sentence, heading=heading, lead=lead))
                if sentence.text.endswith((":", "：")):
                    lead = sentence.normal
    return tuple(found)


def _of_block(block: Block) -> Iterator[Sentence]:
    covered = [(piece.start, piece.end) for piece in block.pieces if piece.kind != "text"]
    at = 0
    for match in _END.finditer(block.content):
        if not any(start < match.start() < end for start, end in covered):
            yield from _sentence(block, at, match.start())
            at = match.end()
    yield from _sentence(block, at, len(block.content))


def _sentence(block: Block, start: int, end: int) -> Iterator[Sentence]:
    text = block.content[start:end]
    stripped = text.strip()
    if stripped:
        begin = start + len(text) - len(text.lstrip())
        yield Sentence(block.source(begin, begin + len(stripped)), stripped, normalise(stripped))


def normalise(text: str) -> str:
    """Lower case, no markup, single blanks, no mark at the end: how sentences are compared."""
    plain = text.translate(_MARKS).replace("\u2019", "'").casefold()
    return _SPACE.sub(" ", plain).strip(" .!;:,。！；：")


@lru_cache(maxsize=256)
def plain(text: str) -> str:
    """A text in lower case without the marks of emphasis and code: what words are looked up in before parsing."""
    return text.replace("`", "").replace("*", "").replace("\u2019", "'").lower()
