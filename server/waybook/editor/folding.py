"""What can be folded: sections, code blocks, front matter, comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.markdown import parse
from waybook.editor.answers import Fold, Symbol
from waybook.editor.symbols import document_symbols

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from waybook.analysis.view import View


def folds(view: View, path: str) -> list[Fold]:
    """The foldable ranges of a document, by first line."""
    document = view.documents.get(path)
    if document is None:
        return []
    lines = document.lines
    found = set(_sections(document_symbols(view, path), lines.line_of))
    markdown = parse(document.text)
    if markdown.front is not None:
        found.add(Fold(0, lines.line_of(markdown.front.end)))
    for block in markdown.blocks:
        if block.kind == "fence":
            found.add(Fold(lines.line_of(block.span.start), lines.line_of(block.span.end)))
    for span, _ in markdown.comments:
        found.add(Fold(lines.line_of(span.start), lines.line_of(span.end), "comment"))
    return sorted((fold for fold in found if fold.last > fold.first), key=lambda fold: (fold.first, fold.last))


def _sections(symbols: tuple[Symbol, ...], line_of: Callable[[int], int]) -> Iterator[Fold]:
    for symbol in symbols:
        yield Fold(line_of(symbol.span.start), line_of(symbol.span.end))
        yield from _sections(symbol.children, line_of)
