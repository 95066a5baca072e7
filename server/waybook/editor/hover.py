"""What is shown at a place: about a path in the text, a front matter key, the instruction file, or any other file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.editor.answers import CountTokens, Hover, no_tokens
from waybook.editor.front_matter import hover_key
from waybook.editor.hover_file import hover_instruction_file, hover_link
from waybook.editor.hover_path import hover_path
from waybook.editor.hover_target import hover_target

if TYPE_CHECKING:
    from waybook.analysis.view import View


def hover(
    view: View, path: str, offset: int = 0, count: CountTokens = no_tokens, whole: View | None = None
) -> Hover | None:
    """The hover at an offset of a file; None when there is nothing to say.

    `path` is workspace-relative and need not be an instruction file: then the chain that applies to it is shown.
    `whole` is a view of the whole workspace, where `view` holds the file's own scopes only: it knows who inherits.
    """
    if path in view.links or path in view.agent_links:
        return hover_link(view, path)
    document = view.documents.get(path)
    if document is None:
        return hover_target(view, path, count)
    return (
        hover_path(document, view, offset)
        or hover_key(document, offset)
        or hover_instruction_file(document, view, count, whole or view)
    )
