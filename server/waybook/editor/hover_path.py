"""Hover on an `@import` or a path: what it resolves to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.text import Span
from waybook.editor.answers import Hover
from waybook.editor.mentions import Named, named_at
from waybook.editor.wording import number

if TYPE_CHECKING:
    from waybook.analysis.view import Document, View

_WHAT = {"import": "Import", "link": "Link", "code": "Path"}


def hover_path(document: Document, view: View, offset: int) -> Hover | None:
    """What the path under an offset leads to; None where there is none."""
    found = named_at(document, view, offset)
    if found is None:
        return None
    start = found.span.start - 1 if found.kind == "import" else found.span.start
    return Hover(f"{_WHAT[found.kind]} of `{found.written}`: {_leads(found, view)}", Span(start, found.span.end))


def _leads(found: Named, view: View) -> str:
    if found.target is None:
        return "it leads out of the workspace."
    shown = found.target or "the workspace root"
    if not found.exists:
        return f"`{shown}` does not exist."
    if view.tree.is_dir(found.target):
        return f"the directory `{shown}`, {number(len(view.tree.names(found.target)))} entries."
    document = view.documents.get(found.target)
    if document is None:
        return f"the file `{shown}`."
    return f"the instruction file `{shown}`, {number(len(document.text.encode('utf-8', 'surrogatepass')))} bytes."
