"""Which documents are read before another one: the files of its own and of every directory above, in reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.checks.memo import PerView
from waybook.checks.places import IGNORE_FILE, OVERRIDE, base_name, join, parent, scope_of_file
from waybook.workspace.agent_files import agent_file

if TYPE_CHECKING:
    from waybook.analysis.view import Document, View


def predecessors(document: Document, view: View) -> list[Document]:
    """The documents read before this one, outermost first.

    Taken from the files themselves, so that it also answers while some directory's discovery is refused. A file that an
    override supersedes or that the ignore file hides is no part of the chain; a file of single agents is read by itself.
    """
    if agent_file(document.path) is not None:
        return []
    by_scope = _by_scope(view)
    chain: list[Document] = []
    directory = scope = scope_of_file(document.path)
    above = []
    while directory:
        directory = parent(directory)
        above.append(by_scope.get(directory, ()))
    for files in reversed(above):
        chain += files
    for found in by_scope.get(scope, ()):
        if found.path == document.path:
            break
        chain.append(found)
    return chain


def is_dormant(document: Document, view: View) -> bool:
    """Whether a file does not count: superseded by an override beside it, or ignored."""
    snapshot = view.snapshots.get(scope_of_file(document.path))
    if snapshot is not None and any(item.path == document.path for item in snapshot.ignored):
        return True
    if base_name(document.path) != "AGENTS.md":
        return False
    winner = view.documents.get(join(parent(document.path), OVERRIDE))
    return winner is not None and bool(winner.text.strip())


def _order(document: Document) -> tuple[int, str]:
    """The order of the .prayu protocol within a directory; files that it does not know come last, by name."""
    name = base_name(document.path)
    if "/.prayu/" in f"/{document.path}":
        return (4 if name == "instructions.md" else 5), document.path
    known = {"AGENTS.md": 0, OVERRIDE: 1, "CLAUDE.md": 2}
    inner = parent(document.path).rpartition("/")[2] == ".claude"
    return known.get(name, 6) + (1 if inner and name == "CLAUDE.md" else 0), document.path


def _group(view: View) -> dict[str, list[Document]]:
    """By directory, the documents that speak for it and count, in reading order."""
    grouped: dict[str, list[Document]] = {}
    for path, document in view.documents.items():
        if path != IGNORE_FILE and agent_file(path) is None and not is_dormant(document, view):
            grouped.setdefault(scope_of_file(path), []).append(document)
    for files in grouped.values():
        files.sort(key=_order)
    return grouped


_by_scope = PerView(_group, tree_free=True)
