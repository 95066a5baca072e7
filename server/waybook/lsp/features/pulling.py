"""Diagnostics on demand: one document's, and the whole workspace's with what the client knows already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.base.cancel import Progress
from waybook.base.uris import uri_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.lsp.language_server import Server
    from waybook.lsp.publish import Told

BATCH = 100
"""Files reported together as a partial result."""

Report = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport


async def document_diagnostic(ls: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """The findings of one document, or that they are what the client has."""
    uri = params.text_document.uri
    if ls.diagnoser is None:
        return types.RelatedFullDocumentDiagnosticReport(items=[])
    ls.diagnoser.pulled("documents", uri)
    await ls.diagnoser.up_to_date(uri)
    told = ls.diagnoser.publisher.current(uri)
    digest = told.digest if told is not None else ls.diagnoser.publisher.digest([])
    if params.previous_result_id == digest:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=digest)
    return types.RelatedFullDocumentDiagnosticReport(
        items=list(told.items) if told is not None else [], result_id=digest
    )


async def workspace_diagnostic(ls: Server, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """The findings of every file, new or unchanged; in batches when the client takes partial results."""
    if ls.diagnoser is None:
        return types.WorkspaceDiagnosticReport([])
    ls.diagnoser.pulled("workspace")
    progress = Progress()
    key = object()
    ls.running[key] = progress.cancel
    try:
        await ls.diagnoser.all_up_to_date(progress)
    finally:
        del ls.running[key]
    previous = {uri_key(item.uri): item.value for item in params.previous_result_ids}
    reports = list(_reports(ls.diagnoser.publisher.all(), previous))
    if params.partial_result_token is None:
        return types.WorkspaceDiagnosticReport(list(reports))
    for start in range(0, len(reports), BATCH):
        part = types.WorkspaceDiagnosticReportPartialResult(list(reports[start : start + BATCH]))
        ls.protocol.notify(types.PROGRESS, types.ProgressParams(params.partial_result_token, part))
    return types.WorkspaceDiagnosticReport([])


def _reports(files: list[Told], previous: dict[str, str]) -> Iterator[Report]:
    known = set()
    for told in files:
        known.add(uri_key(told.uri))
        if previous.get(uri_key(told.uri)) == told.digest:
            yield types.WorkspaceUnchangedDocumentDiagnosticReport(
                uri=told.uri, result_id=told.digest, version=told.version
            )
        elif told.items or uri_key(told.uri) in previous:
            yield types.WorkspaceFullDocumentDiagnosticReport(
                uri=told.uri, items=list(told.items), version=told.version, result_id=told.digest
            )
    for uri in previous.keys() - known:  # spoken of before, unknown now: nothing is wrong with it any more
        yield types.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=[])
