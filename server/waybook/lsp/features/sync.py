"""Documents: opened, changed, saved, closed. What the editor says about an open document is the truth."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from waybook.lsp.documents import Change

if TYPE_CHECKING:
    from lsprotocol import types

    from waybook.lsp.documents import OpenDocument
    from waybook.lsp.language_server import Server

log = logging.getLogger(__name__)


def did_open(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Follow a document and look at it."""
    item = params.text_document
    _drop(ls, item.uri)  # an editor that opens twice starts its versions anew
    _changed(ls, ls.documents.open(item.uri, item.version, item.text))


def did_change(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the changes one after another and look again."""
    uri = params.text_document.uri
    changes = [_change(change) for change in params.content_changes]
    document = ls.documents.change(uri, params.text_document.version, changes, ls.client.encoding)
    if document is None:
        log.warning("A change of a document that is not open is passed over: %s", uri)
        return
    _changed(ls, document)


def did_save(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    """The disk has a new text: drift may have changed."""
    place = ls.place(params.text_document.uri)
    if place is not None:
        ls.diagnose(place.folder, "saved")


def did_close(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Forget the buffer; the disk is the truth again."""
    uri = params.text_document.uri
    _drop(ls, uri)
    document = ls.documents.close(uri)
    if document is None:
        return
    if ls.diagnoser is not None:
        ls.diagnoser.closed(document)
    place = ls.place(uri)
    if place is not None and interesting(place.path):
        ls.diagnose(place.folder, "closed")


def _changed(ls: Server, document: OpenDocument) -> None:
    place = ls.place(document.uri)
    if place is None or not interesting(place.path):
        return
    place.analysis.overlay.put(place.path, document.text, document.version)
    if ls.diagnoser is not None:
        ls.diagnoser.document(document.uri)


def _drop(ls: Server, uri: str) -> None:
    place = ls.place(uri)
    if place is not None:
        place.analysis.overlay.drop(place.path)


def interesting(path: str) -> bool:
    """Whether a document can be an instruction file or part of one; the rest is only hovered over."""
    lower = path.lower()
    return lower.endswith((".md", ".mdc", ".markdown", "instructions.ignore"))


def _change(change: types.TextDocumentContentChangeEvent) -> Change:
    area = getattr(change, "range", None)
    if area is None:
        return Change(change.text)
    return Change(change.text, (area.start.line, area.start.character), (area.end.line, area.end.character))
