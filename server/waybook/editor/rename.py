"""When files move: the imports and paths in instruction files that have to follow."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from waybook.analysis.findings import TextEdit
from waybook.editor.mentions import Named, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from waybook.analysis.view import View


def rename_edits(view: View, moves: Mapping[str, str]) -> list[TextEdit]:
    """The edits, by the paths before the move, that keep every path right. `moves`: old path -> new (files or directories).

    A path keeps its manner: relative to the file or to the root as it was written, `./` where it stood.
    """
    edits = []
    for document in view.documents.values():
        after = _moved(document.path, moves)
        for found in named(document, view):
            new_text = _rewritten(found, document.path, after, moves)
            if new_text is not None and new_text != found.written:
                edits.append(TextEdit(document.path, found.span, new_text))
    return edits


def _rewritten(found: Named, path: str, after: str, moves: Mapping[str, str]) -> str | None:
    """How a mention is to be written; None when it leads nowhere or nothing about it moved."""
    if found.target is None or not found.exists:
        return None
    target = _moved(found.target, moves)
    directory, new_directory = posixpath.dirname(path), posixpath.dirname(after)
    base = new_directory if found.base == directory else found.base
    if target == found.target and base == found.base:
        return None
    written = posixpath.relpath(target or ".", base or ".")
    if found.written.startswith("./") and not written.startswith("."):
        written = f"./{written}"
    if found.kind == "import":
        written = written.replace(" ", "\\ ")
    return written + "/" if found.written.endswith("/") else written


def _moved(path: str, moves: Mapping[str, str]) -> str:
    """Where a path is afterwards: moved itself, or with a directory above it."""
    for old, new in _longest_first(moves):
        if path == old:
            return new
        if path.startswith(f"{old}/"):
            return new + path[len(old) :]
    return path


def _longest_first(moves: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from sorted(moves.items(), key=lambda item: -len(item[0]))
