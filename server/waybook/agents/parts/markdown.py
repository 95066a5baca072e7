"""Where code and comments stand in a Markdown text: enough of the grammar to tell an import from an example of one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"(?:\s*(?:>|[-*+]|\d+[.)])\s)*\s*(`{3,}(?=[^`]*$)|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_INDENTED = re.compile(r" {4}| {0,3}\t")
_MARK = re.compile(r"`+|<!--")
_BLOCK_COMMENT = re.compile(r" {0,3}<!--")


class Region(NamedTuple):
    """A stretch of text that is not prose.

    Kinds: `fence` (backticks), `tilde`, `indented`, `span`, `comment` (a whole block), `remark` (a comment in a line).
    """

    kind: str
    start: int
    end: int


@lru_cache(maxsize=128)
def regions(text: str) -> tuple[Region, ...]:
    """The regions of a text in order; an unclosed fence or block comment reaches to the end."""
    paragraphs: list[tuple[int, int]] = []
    found = list(_blocks(text, paragraphs))
    for start, end in paragraphs:
        found += _inline(text, start, end)
    return tuple(sorted(found, key=lambda region: region.start))


def _blocks(text: str, paragraphs: list[tuple[int, int]]) -> Iterator[Region]:
    """The block regions; the stretches of prose between them are put into `paragraphs`."""
    position, blank, listed, prose = 0, True, False, -1
    while position < len(text):
        end = text.find("\n", position) + 1 or len(text)
        line = text[position:end]
        block = None
        if line.strip():
            indented = bool(_INDENTED.match(line)) and not listed
            if not indented and (opening := _FENCE.match(line.rstrip())):
                block = Region(
                    "fence" if opening[1][0] == "`" else "tilde", position, _fence_end(text, end, opening[1])
                )
            elif not indented and _BLOCK_COMMENT.match(line):
                close = text.find("-->", position)
                block = Region("comment", position, len(text) if close < 0 else close + 3)
            elif indented and blank:
                block = Region("indented", position, end)
            listed = bool(_ITEM.match(line)) or (listed and (not blank or line[0] in " \t"))
        if prose >= 0 and (block or not line.strip()):
            paragraphs.append((prose, position))
            prose = -1
        if block:
            yield block
            position = block.end
            blank = block.kind == "indented"
        else:
            prose = position if prose < 0 and line.strip() else prose
            blank = not line.strip()
            position = end
    if prose >= 0:
        paragraphs.append((prose, len(text)))


def _inline(text: str, start: int, end: int) -> Iterator[Region]:
    """The code spans and comments of one stretch of prose: a run of backticks closes at the next run as long."""
    marks = list(_MARK.finditer(text, start, end))
    later: dict[int, list[int]] = {}
    for mark in reversed(marks):
        if mark[0][0] == "`":
            later.setdefault(len(mark[0]), []).append(mark.start())
    position, comments = start, True
    for mark in marks:
        at, width = mark.start(), len(mark[0])
        if mark[0][0] == "`":
            later[width].pop()
        if at < position or text[at - 1 : at] == "\\":
            continue
        if mark[0][0] == "`" and later[width]:
            position = later[width][-1] + width
            yield Region("span", at, position)
        elif mark[0][0] != "`" and comments:
            close = text.find("-->", at, end)
            comments = close >= 0
            if comments:
                position = close + 3
                yield Region("remark", at, position)


def without_comments(text: str) -> str:
    """The text without any closed `<!-- -->`, wherever it stands."""
    parts, position = [], 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts.append(text[position:start])
        position = end + 3
    return "".join((*parts, text[position:]))


def _fence_end(text: str, start: int, marker: str) -> int:
    closing = re.compile(rf"^[ \t>]*{re.escape(marker[0])}{{{len(marker)},}}[ \t]*\r?$", re.MULTILINE)
    match = closing.search(text, start)
    if match is None:
        return len(text)
    return min(len(text), match.end() + 1)


def without(text: str, *kinds: str) -> str:
    """The text with the regions of some kinds left out."""
    parts, position = [], 0
    for region in regions(text):
        if region.kind in kinds and region.start >= position:
            parts.append(text[position : region.start])
            position = region.end
    return "".join((*parts, text[position:]))


def masked(text: str, *kinds: str) -> str:
    """The text with regions of some kinds blanked out (line ends kept), so that offsets and lines stay."""
    parts, position = [], 0
    for region in regions(text):
        if region.kind in kinds and region.start >= position:
            parts += [text[position : region.start], re.sub(r"[^\n]", "\x00", text[region.start : region.end])]
            position = region.end
    return "".join((*parts, text[position:]))
