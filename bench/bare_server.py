"""A language server that does nothing but answer: it publishes one finding for each version and one sentence on hover."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare", "1", text_document_sync_kind=types.TextDocumentSyncKind.Incremental)
HERE = types.Range(types.Position(0, 0), types.Position(0, 1))


def publish(uri: str, version: int) -> None:
    finding = types.Diagnostic(HERE, f"version {version}")
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, [finding], version))


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(params: types.DidOpenTextDocumentParams) -> None:
    publish(params.text_document.uri, params.text_document.version)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(params: types.DidChangeTextDocumentParams) -> None:
    publish(params.text_document.uri, params.text_document.version)


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(_params: types.HoverParams) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "one sentence"))


server.start_io()
