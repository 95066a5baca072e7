"""Where the path under the cursor leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.text import Span
from waybook.editor.answers import Place
from waybook.editor.mentions import named_at

if TYPE_CHECKING:
    from waybook.analysis.view import View


def definition(view: View, path: str, offset: int) -> Place | None:
    """The file that an import or path leads to; None when it is missing, a directory, or there is no path here."""
    document = view.documents.get(path)
    found = named_at(document, view, offset) if document is not None else None
    if found is None or not found.target or not found.exists or view.tree.is_dir(found.target):
        return None
    start = found.span.start - 1 if found.kind == "import" else found.span.start
    return Place(found.target, Span(0, 0), Span(start, found.span.end))
