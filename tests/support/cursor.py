"""Inline fixtures for the editor's questions: a workspace as one text, `<CURSOR>` where it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from support.markers import unpack, view_of

if TYPE_CHECKING:
    from pathlib import Path

    from waybook.analysis.view import View
    from waybook.base.text import Span

CURSOR = "<CURSOR>"


@dataclass(frozen=True)
class At:
    """Where the cursor stood: the view, the file's path and the offset in its text."""

    view: View
    path: str
    offset: int

    def text(self, span: Span, path: str | None = None) -> str:
        """What a span covers in a document."""
        return self.view.documents[self.path if path is None else path].text[span.start : span.end]


def at_cursor(root: Path, text: str) -> At:
    """Write the workspace and find the cursor; the files' texts are as if it had never been there."""
    unpack(text.replace(CURSOR, ""), root)
    path = text[: text.index(CURSOR)].rpartition("\n-- ")[2] if "\n-- " in text[: text.index(CURSOR)] else text[3:]
    path = path.partition(" --\n")[0]
    body = text[: text.index(CURSOR)].rpartition(f"-- {path} --\n")[2]
    return At(view_of(root), path, len(body))
