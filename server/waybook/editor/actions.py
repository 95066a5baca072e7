"""What can be done about a place: the findings' fixes, drift, pinning, and everything plain at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import CreateFile, DeleteFile, TextEdit
from waybook.editor.answers import Action, Edit
from waybook.editor.lens import CONFIRM, PIN
from waybook.editor.scopes import scope_of_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from waybook.analysis.findings import Finding, Fix
    from waybook.analysis.view import View

QUICK_FIX = "quickfix"
SOURCE = "source"
FIX_ALL = "source.fixAll.waybook"
_DRIFT = "fingerprint-stale"
_DRIFT_PREFIX = "instruction-"


def actions(
    view: View,
    path: str,
    here: Sequence[Finding],
    everywhere: Sequence[Finding],
    silencers: Iterable[tuple[Finding, Fix]],
) -> Iterator[Action]:
    """The actions for the findings at a place (`here`) and for the file as a whole (`everywhere`: all its findings).

    `silencers` are the edits that suppress a finding, made by whoever knows the comments' form.
    """
    for found in here:
        for fix in found.fixes:
            yield Action(fix.title, QUICK_FIX, fix.edits, preferred=fix.preferred, codes=(found.code,))
    yield from _drift(view, path, here)
    for found, fix in silencers:
        yield Action(fix.title, QUICK_FIX, fix.edits, codes=(found.code,))
    if path in view.documents and view.pinned is None:
        title = "Pin the workspace's instructions as reviewed"
        yield Action(title, SOURCE, command=PIN, argument={"workspace": view.root})
    every = fix_all(everywhere)
    if every:
        yield Action("Fix everything plain in this file", FIX_ALL, every, codes=tuple(_codes(everywhere)))


def _drift(view: View, path: str, here: Sequence[Finding]) -> Iterator[Action]:
    """Review and confirm the drift of the scopes that the findings, or the file, belong to."""
    scope = scope_of_file(path)
    codes = tuple(
        dict.fromkeys(found.code for found in here if found.code == _DRIFT or found.code.startswith(_DRIFT_PREFIX))
    )
    if scope not in view.drift and not codes:
        return
    argument = {"workspace": view.root, "scope": scope}
    kind = QUICK_FIX if codes else SOURCE
    yield Action("Review the drift and confirm it", kind, command=CONFIRM, argument=argument, codes=codes)


def _codes(findings: Sequence[Finding]) -> Iterator[str]:
    return iter(dict.fromkeys(found.code for found in findings if any(fix.preferred for fix in found.fixes)))


def fix_all(findings: Sequence[Finding]) -> tuple[Edit, ...]:
    """The edits of every preferred fix that fit together: no overlap, no file made or removed twice."""
    chosen: list[Edit] = []
    for found in findings:
        fix = next((fix for fix in found.fixes if fix.preferred), None)
        if fix is not None and not any(_clash(edit, other) for edit in fix.edits for other in chosen):
            chosen += fix.edits
    return tuple(chosen)


def _clash(edit: Edit, other: Edit) -> bool:
    if edit.path != other.path:
        return False
    if isinstance(edit, TextEdit) and isinstance(other, TextEdit):
        apart = edit.span.end < other.span.start or other.span.end < edit.span.start
        return not apart
    return isinstance(edit, CreateFile | DeleteFile | TextEdit)
