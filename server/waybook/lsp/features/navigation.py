"""Definition, references and document links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.editor.definition import definition as find_definition
from waybook.editor.links import links
from waybook.editor.references import references as find_references
from waybook.lsp.features.asking import Asked, about
from waybook.lsp.features.mentions import with_mentions

if TYPE_CHECKING:
    from waybook.editor.answers import Place
    from waybook.lsp.language_server import Server


async def definition(ls: Server, params: types.DefinitionParams) -> types.Location | list[types.LocationLink] | None:
    """The file that an import or path leads to."""

    def work(asked: Asked) -> types.Location | list[types.LocationLink] | None:
        found = find_definition(asked.view, asked.path, asked.offset(params.position))
        if found is None:
            return None
        location = _location(ls, asked, found)
        if not ls.client.definition_links or found.origin is None:
            return location
        return [types.LocationLink(location.uri, location.range, location.range, asked.range(found.origin))]

    return await about(ls, params.text_document.uri, work)


async def references(ls: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    """Who names a file, and which chains hold it."""
    declaration = params.context.include_declaration

    def work(asked: Asked) -> list[types.Location]:
        offset = asked.offset(params.position)
        return [
            _location(ls, asked, place)
            for place in find_references(asked.view, asked.path, offset, declaration=declaration)
        ]

    return await about(ls, params.text_document.uri, work, whole=True)


async def document_links(ls: Server, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    """Every path and mention that can be followed."""

    def work(asked: Asked) -> list[types.DocumentLink]:
        return [
            types.DocumentLink(
                asked.range(link.span), ls.uri(asked.place.folder, link.path), data={"tooltip": link.tooltip}
            )
            for link in links(asked.view, asked.path)
        ]

    return await with_mentions(ls, params, await about(ls, params.text_document.uri, work))


def resolve_link(_ls: Server, link: types.DocumentLink) -> types.DocumentLink:
    """The link's tooltip."""
    if isinstance(link.data, dict):
        link.tooltip = str(link.data.get("tooltip", "")) or None
    return link


def _location(ls: Server, asked: Asked, place: Place) -> types.Location:
    return types.Location(ls.uri(asked.place.folder, place.path), asked.range(place.span, place.path))
