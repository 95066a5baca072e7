"""Edits as a `WorkspaceEdit`: text changes with versions, files made and removed in order."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.analysis.findings import CreateFile, DeleteFile, TextEdit
from waybook.lsp.convert import lines_of, to_range

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from waybook.analysis.view import View
    from waybook.lsp.convert import UriOf
    from waybook.lsp.language_server import Server

Edit = TextEdit | CreateFile | DeleteFile
Operation = types.TextDocumentEdit | types.CreateFile | types.DeleteFile | types.RenameFile


def workspace_edit(ls: Server, view: View, edits: Iterable[Edit], uri_of: UriOf) -> types.WorkspaceEdit | None:
    """The edit for this client; None when it needs files made or removed and the client cannot do that."""
    items = list(edits)
    plain = all(isinstance(item, TextEdit) for item in items)
    if plain and not ls.client.document_changes:
        changes: dict[str, list[types.TextEdit]] = {}
        for item in items:
            if isinstance(item, TextEdit):
                changes.setdefault(uri_of(item.path), []).append(_text_edit(ls, view, item))
        return types.WorkspaceEdit(changes={uri: changes[uri] for uri in changes})
    needed = {_operation(item) for item in items} - {""}
    if not needed <= ls.client.resource_operations:
        return None
    return types.WorkspaceEdit(document_changes=list(_operations(ls, view, items, uri_of)))


def _operation(item: Edit) -> str:
    return {CreateFile: "create", DeleteFile: "delete"}.get(type(item), "")


def _operations(ls: Server, view: View, items: list[Edit], uri_of: UriOf) -> Iterator[Operation]:
    """In order; neighbouring text edits of one document travel together."""
    for (kind, path), group in groupby(items, key=lambda item: (type(item), item.path)):
        uri = uri_of(path)
        if kind is DeleteFile:
            yield types.DeleteFile(uri, options=types.DeleteFileOptions(ignore_if_not_exists=True))
        elif kind is CreateFile:
            for item in group:
                yield types.CreateFile(uri, options=types.CreateFileOptions(ignore_if_exists=False, overwrite=False))
                if isinstance(item, CreateFile) and item.text:
                    start = types.Position(0, 0)
                    yield _document_edit(ls, uri, [types.TextEdit(types.Range(start, start), item.text)])
        else:
            yield _document_edit(ls, uri, [_text_edit(ls, view, item) for item in group if isinstance(item, TextEdit)])


def _document_edit(ls: Server, uri: str, edits: list[types.TextEdit]) -> types.TextDocumentEdit:
    document = ls.documents.get(uri)
    version = document.version if document is not None else None
    return types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), list(edits))


def _text_edit(ls: Server, view: View, item: TextEdit) -> types.TextEdit:
    return types.TextEdit(to_range(lines_of(view, item.path), item.span, ls.client.encoding), item.new_text)
