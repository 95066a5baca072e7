"""Our values as the protocol's: spans become ranges in the agreed encoding, findings become diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.base.manual import page_uri
from waybook.base.records import to_json
from waybook.base.text import Encoding, LineIndex, Span

if TYPE_CHECKING:
    from waybook.analysis.findings import Finding
    from waybook.analysis.view import View
    from waybook.lsp.client import Client

SOURCE = "waybook"
_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
_TAG = {"unnecessary": types.DiagnosticTag.Unnecessary, "deprecated": types.DiagnosticTag.Deprecated}
_NOTHING = LineIndex("")

UriOf = Callable[[str], str]
"""The URI of a workspace-relative path."""


def to_range(lines: LineIndex, span: Span, encoding: Encoding) -> types.Range:
    """The range of a span in a text."""
    return types.Range(to_position(lines, span.start, encoding), to_position(lines, span.end, encoding))


def to_position(lines: LineIndex, offset: int, encoding: Encoding) -> types.Position:
    """The position of an offset in a text."""
    return types.Position(*lines.position(offset, encoding))


def lines_of(view: View, path: str) -> LineIndex:
    """The lines of a document of the view; of an empty text when it has none (a link, a refused file)."""
    document = view.documents.get(path)
    return document.lines if document is not None else _NOTHING


class Findings:
    """Turns the findings of one view into diagnostics."""

    def __init__(self, view: View, client: Client, uri_of: UriOf, docs_url: str = "") -> None:
        self._view = view
        self._client = client
        self._uri_of = uri_of
        self._manual = docs_url or page_uri("checks.md")

    def diagnostics(self, findings: Iterable[Finding]) -> list[types.Diagnostic]:
        """One diagnostic for each finding, in order."""
        return [self.diagnostic(found) for found in findings]

    def diagnostic(self, found: Finding) -> types.Diagnostic:
        """A finding in the protocol's words; optional parts only for a client that knows them."""
        item = types.Diagnostic(
            range=self._range(found.path, found.span),
            message=found.message,
            severity=_SEVERITY.get(found.severity or "warning"),
            code=found.code,
            source=SOURCE,
            code_description=types.CodeDescription(f"{self._manual}#{found.code}") if self._manual else None,
            data={"code": found.code, "path": found.path, **to_json(found.data)},
        )
        if found.tags and self._client.tags:
            item.tags = [_TAG[tag] for tag in found.tags]
        if found.related and self._client.related_information:
            item.related_information = [
                types.DiagnosticRelatedInformation(
                    types.Location(self._uri_of(place.path), self._range(place.path, place.span)), place.message
                )
                for place in found.related
            ]
        return item

    def _range(self, path: str, span: Span) -> types.Range:
        return to_range(lines_of(self._view, path), span, self._client.encoding)
