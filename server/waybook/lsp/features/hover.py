"""textDocument/hover."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.editor.hover import hover as answer
from waybook.lsp.features.asking import Asked, about
from waybook.lsp.features.mentions import mention_hover

if TYPE_CHECKING:
    from waybook.lsp.language_server import Server


async def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """What applies here and why."""
    mentioned = await mention_hover(ls, params)
    if mentioned is not None:
        return mentioned
    place = ls.place(params.text_document.uri)
    examined = (
        ls.diagnoser.workspaces.get(place.folder.root) if place is not None and ls.diagnoser is not None else None
    )
    whole = examined.view if examined is not None else None

    def work(asked: Asked) -> types.Hover | None:
        found = answer(asked.view, asked.path, asked.offset(params.position), ls.count, whole)
        if found is None:
            return None
        kind = types.MarkupKind.Markdown if ls.client.markdown else types.MarkupKind.PlainText
        text = found.markdown if ls.client.markdown else found.markdown.replace("**", "").replace("`", "")
        return types.Hover(types.MarkupContent(kind, text), asked.range(found.span) if found.span else None)

    return await about(ls, params.text_document.uri, work)
