"""Paths in the text that can be followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.editor.answers import Link
from waybook.editor.mentions import named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import View


def links(view: View, path: str) -> Iterator[Link]:
    """Every import and path of a document that leads to a file of the workspace."""
    document = view.documents.get(path)
    if document is None:
        return
    for found in named(document, view):
        if found.target and found.exists and not view.tree.is_dir(found.target):
            yield Link(found.span, found.target, f"Open {found.target}")
