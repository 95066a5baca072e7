"""Where in a workspace a finding sits: the scope of a file, the nearest file of a scope, the first line of a document."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from waybook.base.text import Span
from waybook.checks.memo import PerView
from waybook.workspace.agent_files import agent_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.analysis.view import Document, View

START = Span(0, 0)
OVERRIDE = "AGENTS.override.md"
IGNORE_FILE = ".prayu/instructions.ignore"


def parent(path: str) -> str:
    """The directory that holds a slash path; "" for the root."""
    return path.rpartition("/")[0]


def base_name(path: str) -> str:
    """The last part of a slash path."""
    return path.rpartition("/")[2]


def join(directory: str, name: str) -> str:
    """A slash path below a directory ("" is the root)."""
    return f"{directory}/{name}" if directory else name


@lru_cache(maxsize=8_192)
def scope_of_file(path: str) -> str:
    """The directory an instruction file speaks for: what lies in an agent's own folder speaks for the directory above."""
    own = agent_file(path)
    if own is not None:
        return own.owner
    parts = path.split("/")
    for index, part in enumerate(parts[:-1]):
        if part == ".prayu" or (part == ".claude" and index == len(parts) - 2):
            return "/".join(parts[:index])
    return "/".join(parts[:-1])


def is_within(path: str, directory: str) -> bool:
    """Whether a path is the directory itself or lies below it; everything is within ""."""
    return not directory or path == directory or path.startswith(directory + "/")


def first_line(view: View, path: str) -> Span:
    """The first line of a document; the empty span at the start where there is no text to show."""
    document = view.documents.get(path)
    return document.lines.line_span(0) if document is not None else START


def whole(document: Document) -> Span:
    """All of a document's text."""
    return Span(0, len(document.text))


def nearest_file(view: View, scope: str) -> str | None:
    """The existing instruction file to show a scope's finding on: its own first one, else the next one above it."""
    first = _first_files(view)
    while scope not in first:
        if not scope:
            return None
        scope = parent(scope)
    return first[scope]


def _first_of_scopes(view: View) -> dict[str, str]:
    """By scope, its first file: the ones right in a directory before `.claude` and `.prayu`, else by name."""
    first: dict[str, str] = {}
    paths = (path for path in (*view.documents, *view.links) if agent_file(path) is None)
    for path in sorted(paths, key=lambda path: (path.count("/"), "/." in f"/{parent(path)}", path)):
        first.setdefault(scope_of_file(path), path)
    return first


_first_files = PerView(_first_of_scopes)


def named(scope: str) -> str:
    """A scope as messages name it."""
    return scope or "the workspace root"


def listed(paths: Iterable[str], most: int = 4) -> str:
    """Paths for a message: the first few, and how many more there are."""
    items = list(paths)
    shown = ", ".join(items[:most])
    return f"{shown} and {len(items) - most} more" if len(items) > most else shown
