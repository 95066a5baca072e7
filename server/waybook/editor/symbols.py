"""Headings as an outline, of one document or of every instruction file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from waybook.analysis.markdown import Block, parse
from waybook.base.text import Span
from waybook.editor.answers import Symbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View

MOST = 500
"""Symbols given for one search of the workspace: more help nobody."""
_LEVELS = 6


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level (1 to 6), its text, the line it stands on."""

    level: int
    name: str
    span: Span


_known: WeakKeyDictionary[Document, tuple[Heading, ...]] = WeakKeyDictionary()
"""The headings of documents that are still in a view: a search must not parse a workspace again."""


def headings(document: Document) -> tuple[Heading, ...]:
    """The headings of a document in order."""
    known = _known.get(document)
    if known is None:
        found = (_heading(document, block) for block in parse(document.text).blocks if block.kind == "heading")
        known = _known[document] = tuple(heading for heading in found if heading is not None)
    return known


def _heading(document: Document, block: Block) -> Heading | None:
    source = document.text[block.span.start : block.span.end].lstrip(" >-*+0123456789.")
    level = len(source) - len(source.lstrip("#"))
    if not level:
        level = 1 if source.rstrip().endswith("=") else 2
    name = " ".join(block.content.split())
    return Heading(min(level, _LEVELS), name, block.span) if name else None


def document_symbols(view: View, path: str) -> tuple[Symbol, ...]:
    """The outline of a document: each heading holds the deeper ones that follow it."""
    document = view.documents.get(path)
    if document is None:
        return ()
    found = headings(document)
    return tuple(_nested(document, found, 0, len(found)))


def _nested(document: Document, found: tuple[Heading, ...], first: int, after: int) -> Iterator[Symbol]:
    at = first
    while at < after:
        heading = found[at]
        following = next((n for n in range(at + 1, len(found)) if found[n].level <= heading.level), len(found))
        following = min(following, after)
        end = found[following].span.start if following < len(found) else len(document.text)
        while end > heading.span.end and document.text[end - 1].isspace():
            end -= 1
        children = tuple(_nested(document, found, at + 1, following))
        span = Span(heading.span.start, max(end, heading.span.end))
        yield Symbol(heading.name, heading.level, span, heading.span, children, document.path)
        at = following


def workspace_symbols(view: View, query: str) -> list[Symbol]:
    """The headings of every instruction file whose letters hold the query's in order; whole words first."""
    wanted = query.casefold()
    ranked: list[tuple[int, str, int, Symbol]] = []
    for path, document in view.documents.items():
        for heading in headings(document):
            rank = _rank(wanted, heading.name.casefold())
            if rank is not None:
                symbol = Symbol(heading.name, heading.level, heading.span, heading.span, (), path)
                ranked.append((rank, path, heading.span.start, symbol))
    return [symbol for _, _, _, symbol in sorted(ranked, key=lambda item: item[:3])[:MOST]]


def _rank(wanted: str, name: str) -> int | None:
    """0 for a name that holds the query, 1 for one that holds its letters in order, None otherwise."""
    if wanted in name:
        return 0
    letters = iter(name)
    return 1 if all(letter in letters for letter in wanted if not letter.isspace()) else None
