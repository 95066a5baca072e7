"""Run checks over a view: isolate a failing check, apply severities and selections, sort."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, cast

from waybook.checks.model import Check, DiskCheck, TextCheck
from waybook.checks.suppress import allowed

if TYPE_CHECKING:
    from waybook.analysis.findings import Finding, Severity
    from waybook.analysis.view import Document, View

log = logging.getLogger(__name__)

MAX_CHECKED = 524_288
"""Characters. Eight times what discovery accepts of one file (the .prayu protocol): a save must not freeze the editor."""

Failure = Callable[[str, Exception], None]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which checks count. `select` empty: all; `severity` maps codes to a severity or "off"."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    severity: Mapping[str, str] | None = None

    def wants(self, code: str) -> bool:
        """Whether findings of this code are shown."""
        chosen = not self.select or code in self.select
        return chosen and code not in self.ignore and (self.severity or {}).get(code) != "off"


def disk_findings(
    view: View, checks: Sequence[Check], selection: Selection, failed: Failure | None = None
) -> list[Finding]:
    """Findings of the disk checks over one view."""
    found: list[Finding] = []
    for check in checks:
        if isinstance(check, DiskCheck) and selection.wants(check.code):
            found += _isolated(check, partial(check.run, view), view, selection, failed)
    return _sorted(found)


def text_findings(
    document: Document, view: View, checks: Sequence[Check], selection: Selection, failed: Failure | None = None
) -> list[Finding]:
    """Findings of the text checks over one document; `document` may be newer than the view's own of that path.

    None for a text longer than `MAX_CHECKED`: no profile reads it, which discovery-failed says.
    """
    found: list[Finding] = []
    if len(document.text) > MAX_CHECKED:
        return found
    for check in checks:
        if isinstance(check, TextCheck) and selection.wants(check.code):
            found += _isolated(check, partial(check.run, document, view), view, selection, failed, document)
    return _sorted(found)


def chosen(findings: Iterable[Finding], selection: Selection) -> list[Finding]:
    """The findings that a selection wants, with its severities, of findings made without one."""
    severity = selection.severity or {}
    return [
        replace(found, severity=cast("Severity", severity[found.code])) if found.code in severity else found
        for found in findings
        if selection.wants(found.code)
    ]


def _isolated(
    check: Check,
    run: Callable[[], Iterable[Finding]],
    view: View,
    selection: Selection,
    failed: Failure | None,
    document: Document | None = None,
) -> list[Finding]:
    """One check's findings with their severity, without the suppressed; a crash is told, and costs only that check."""
    try:
        return [_finished(found, check, selection) for found in run() if not _silenced(found, check, view, document)]
    except Exception as error:  # a defect in one check must not hide the others' findings
        log.exception("The check %s failed", check.code)
        if failed is not None:
            failed(check.code, error)
        return []


def _silenced(found: Finding, check: Check, view: View, document: Document | None) -> bool:
    """Whether a comment in the finding's own file allows it."""
    if not check.suppressible:
        return False
    return allowed(found, document if document and document.path == found.path else view.documents.get(found.path))


def _finished(found: Finding, check: Check, selection: Selection) -> Finding:
    severity = (selection.severity or {}).get(found.code) or found.severity or check.severity
    return found if found.severity == severity else replace(found, severity=cast("Severity", severity))


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda found: (found.path, found.span, found.code, found.message))
