"""Document symbols, workspace symbols and folding ranges."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.editor.folding import folds
from waybook.editor.symbols import document_symbols as outline
from waybook.editor.symbols import workspace_symbols as search
from waybook.lsp.convert import lines_of, to_range
from waybook.lsp.features.asking import Asked, about

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import View
    from waybook.editor.answers import Symbol
    from waybook.lsp.folders import Folder
    from waybook.lsp.language_server import Server

_FOLD_KIND = {"comment": types.FoldingRangeKind.Comment, "imports": types.FoldingRangeKind.Imports}
_HEADING = types.SymbolKind.String
"""What the editors' own Markdown support uses for headings."""


async def document_symbols(
    ls: Server, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
    """The headings as a tree, or in a row for an older client."""

    def work(asked: Asked) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        found = outline(asked.view, asked.path)
        if ls.client.hierarchical_symbols:
            return [_tree(asked, symbol) for symbol in found]
        uri = params.text_document.uri
        return [
            types.SymbolInformation(types.Location(uri, asked.range(symbol.span)), symbol.name, _HEADING)
            for symbol in _flat(found)
        ]

    return await about(ls, params.text_document.uri, work)


def _tree(asked: Asked, symbol: Symbol) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_HEADING,
        range=asked.range(symbol.span),
        selection_range=asked.range(symbol.name_span),
        children=[_tree(asked, child) for child in symbol.children] or None,
    )


def _flat(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for symbol in symbols:
        yield symbol
        yield from _flat(symbol.children)


async def workspace_symbols(ls: Server, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    """The headings of every instruction file of every folder."""

    def work(folder: Folder, view: View) -> list[types.SymbolInformation]:
        return [_information(ls, folder, view, symbol) for symbol in search(view, params.query)]

    found: list[types.SymbolInformation] = []
    for folder in ls.folders.all():
        items = await ls.work(partial(work, folder, await ls.whole_view(folder)))
        # A folder inside another one speaks about its own files itself.
        found += [item for item in items if (place := ls.place(item.location.uri)) and place.folder == folder]
    return found


def _information(ls: Server, folder: Folder, view: View, symbol: Symbol) -> types.SymbolInformation:
    place = to_range(lines_of(view, symbol.path), symbol.name_span, ls.client.encoding)
    uri = ls.uri(folder, symbol.path)
    return types.SymbolInformation(types.Location(uri, place), symbol.name, _HEADING, container_name=symbol.path)


async def folding_ranges(ls: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
    """Sections, code blocks, front matter, comments."""

    def work(asked: Asked) -> list[types.FoldingRange]:
        return [
            types.FoldingRange(start_line=fold.first, end_line=fold.last, kind=_FOLD_KIND.get(fold.kind))
            for fold in folds(asked.view, asked.path)
        ]

    return await about(ls, params.text_document.uri, work)
