"""Who imports or names a file, and which chains hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.editor.answers import Place
from waybook.editor.mentions import named_at, who_names
from waybook.editor.scopes import holders, scope_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import View


def references(view: View, path: str, offset: int, *, declaration: bool = False) -> Iterator[Place]:
    """About the path under the cursor, or about the file itself where there is none.

    First every mention; then, for an instruction file, the nearest file of each other chain that holds it.
    `declaration` adds the file itself.
    """
    document = view.documents.get(path)
    found = named_at(document, view, offset) if document is not None else None
    target = found.target if found is not None and found.target else path
    if declaration and view.tree.exists(target):
        yield Place(target)
    for importer, mention in who_names(view, target):
        yield Place(importer, mention.span)
    for scope in holders(view, target):
        nearest = view.snapshots[scope].sources[-1].path
        if scope != scope_of_file(target) and nearest != target:
            first = view.documents.get(nearest)
            yield Place(nearest, first.lines.line_span(0)) if first is not None else Place(nearest)
