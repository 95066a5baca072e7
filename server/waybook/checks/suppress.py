"""Comments that silence checks: `<!-- waybook: allow CODE[, CODE] -->` and `<!-- waybook: allow-file CODE -->`.

`allow` counts for its own line and for the block that begins on the next line with text (a paragraph, a list item's first
paragraph, a table, a code block); `allow-file` for the whole file, wherever it stands. Comments inside code are text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Fix, TextEdit
from waybook.analysis.markdown import Markdown, parse
from waybook.base.text import LineIndex, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document

_ALLOW = re.compile(r"waybook:\s*(allow|allow-file)(?:\s+|$)(.*)", re.DOTALL)
_CODE = re.compile(r"[^\s,]+")


@dataclass(frozen=True, slots=True)
class Allowance:
    """One code in one comment. `span` is the code's; `reach` is what it counts for, None for the whole file."""

    code: str
    span: Span
    reach: Span | None


@lru_cache(maxsize=256)
def allowances(text: str) -> tuple[Allowance, ...]:
    """Every allowance of a text in source order."""
    return tuple(_allowances(text)) if "waybook:" in text else ()


def _allowances(text: str) -> Iterator[Allowance]:
    markdown = parse(text)
    lines = LineIndex(text)
    for span, inner in markdown.comments:
        match = _ALLOW.match(inner)
        if match is None:
            continue
        begin = text.find(inner, span.start, span.end) + match.start(2)
        reach = None if match[1] == "allow-file" else _reach(markdown, lines, span)
        for code in _CODE.finditer(match[2]):
            yield Allowance(code[0], Span(begin + code.start(), begin + code.end()), reach)


def _reach(markdown: Markdown, lines: LineIndex, comment: Span) -> Span:
    """From the comment's first line to its last, or to the end of the next block when it stands alone."""
    first, last = lines.line_of(comment.start), lines.line_of(comment.end)
    row = Span(lines.line_span(first).start, lines.line_span(last).end)
    around = markdown.text[row.start : comment.start] + markdown.text[comment.end : row.end]
    if around.strip(" \t>-*+"):
        return row
    following = next((block for block in markdown.blocks if block.span.start > row.end and block.kind != "html"), None)
    return row if following is None else Span(row.start, (following.table or following.span).end)


def allowed(found: Finding, document: Document | None) -> bool:
    """Whether a comment in the document silences this finding."""
    if document is None or "waybook:" not in document.text:
        return False
    return any(
        item.code == found.code and (item.reach is None or item.reach.start <= found.span.start <= item.reach.end)
        for item in allowances(document.text)
    )


def allow_fixes(found: Finding, document: Document) -> tuple[Fix, ...]:
    """The edits that silence a finding: a comment at its line or above its block, and one for the whole file."""
    markdown = parse(document.text)
    top = _after_front(document, markdown.front)
    comment = f"<!-- waybook: allow-file {found.code} -->\n"
    whole = Fix(f"Allow {found.code} in this file", (TextEdit(document.path, Span(top, top), comment),))
    block = next((item for item in markdown.blocks if found.span.start in item.span), None)
    if block is None:
        return (whole,)
    if block.kind in {"paragraph", "heading"}:
        end = document.lines.line_span(document.lines.line_of(found.span.start)).end
        edit = TextEdit(document.path, Span(end, end), f" <!-- waybook: allow {found.code} -->")
    else:
        start = (block.table or block.span).start
        line = document.text[start : document.lines.line_span(document.lines.line_of(start)).end]
        indent = line[: len(line) - len(line.lstrip())]
        edit = TextEdit(document.path, Span(start, start), f"{indent}<!-- waybook: allow {found.code} -->\n")
    return Fix(f"Allow {found.code} here", (edit,)), whole


def _after_front(document: Document, front: Span | None) -> int:
    """Where the text proper begins."""
    if front is None:
        return 0
    after = document.lines.line_of(front.end) + 1
    return document.lines.starts[after] if after < document.lines.line_count else len(document.text)
