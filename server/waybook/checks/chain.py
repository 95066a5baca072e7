"""Which documents are read before another one: the files of its own and of every directory above, in reading order."""

from __future__ import annotations

from waybook.analysis.view import Document, View
from waybook.checks.memo import PerView
from waybook.checks.places import IGNORE_FILE, OVERRIDE, base_name, join, parent, scope_of_file


def predecessors(document: Document, view: View) -> list[Document]:
    """The documents read before this one, outermost first.

    Taken from the files themselves, so that it also answers while some directory's discovery is refused. A file that an
    override supersedes or that the ignore file hides is no part of the chain.
    """
    scope = scope_of_file(document.path)
    chain: list[Document] = []
    for directory in _down_to(scope):
        for path in _files(view, directory):
            if path == document.path:
                return chain
            found = view.documents[path]
            if not is_dormant(found, view):
                chain.append(found)
    return chain


def is_dormant(document: Document, view: View) -> bool:
    """Whether a file does not count: superseded by an override beside it, or ignored."""
    scope = scope_of_file(document.path)
    snapshot = view.snapshots.get(scope)
    if snapshot is not None and any(item.path == document.path for item in snapshot.ignored):
        return True
    if base_name(document.path) != "AGENTS.md":
        return False
    winner = view.documents.get(join(parent(document.path), OVERRIDE))
    return winner is not None and not winner.text.isspace() and winner.text != ""


def _down_to(scope: str) -> list[str]:
    parts = scope.split("/") if scope else []
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]


def _files(view: View, directory: str) -> list[str]:
    """A directory's instruction files in the order of the .prayu protocol, then any others by name."""
    fixed = [
        join(directory, name)
        for name in ("AGENTS.md", OVERRIDE, "CLAUDE.md", ".claude/CLAUDE.md", ".prayu/instructions.md")
    ]
    known = [path for path in fixed if path in view.documents]
    return known + [path for path in _others(view).get(directory, ()) if path not in known]


def _group(view: View) -> dict[str, list[str]]:
    """Every further instruction file by the directory it speaks for."""
    grouped: dict[str, list[str]] = {}
    for path in sorted(view.documents):
        if base_name(path) not in {"AGENTS.md", OVERRIDE, "CLAUDE.md"} and path != IGNORE_FILE:
            grouped.setdefault(scope_of_file(path), []).append(path)
    return grouped


_others = PerView(_group)
