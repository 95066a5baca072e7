"""Which files import which, as far as their text is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.markdown_imports import Import, candidates, imports, resolve
from waybook.checks.memo import text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def may_lead_to(document: Document, view: View, hops: int) -> dict[str, int]:
    """Files that words of the document may import in up to `hops` steps, with the steps; read without parsing.

    The document itself is among them when some way leads back to it.
    """
    if "@" not in document.text:
        return {}
    reached: dict[str, int] = {}
    level = [document.path]
    for step in range(1, hops + 1):
        further = [target for path in level for target in _maybe(document, view, path) if target not in reached]
        reached.update(dict.fromkeys(further, step))
        level = list(dict.fromkeys(further))
        if not level:
            break
    return reached


def _maybe(document: Document, view: View, path: str) -> Iterator[str]:
    for word in candidates(text_of(view, path, document) or ""):
        target = resolve(path, word)
        if target is not None and (target in view.documents or target == document.path):
            yield target


def edges(document: Document, view: View, path: str) -> Iterator[tuple[Import, str]]:
    """The imports of the file at `path` that lead to a file, with the file; nothing when its text is unknown."""
    text = text_of(view, path, document)
    for item in imports(text) if text else ():
        target = resolve(path, item.path)
        if target is not None and (target in view.documents or target == document.path):
            yield item, target


def way_back(document: Document, view: View, start: str) -> tuple[str, ...] | None:
    """The shortest way of imports from `start` back to the document; None when there is none."""
    seen = {start}
    ways: list[tuple[str, ...]] = [(start,)]
    while ways:
        longer: list[tuple[str, ...]] = []
        for way in ways:
            if way[-1] == document.path:
                return way
            for _, target in edges(document, view, way[-1]):
                if target not in seen:
                    seen.add(target)
                    longer.append((*way, target))
        ways = longer
    return None


def too_far(document: Document, view: View, hops: int) -> Iterator[tuple[Import, tuple[str, ...]]]:
    """The files that only more than `hops` imports in a row reach: the document's own import, and the way."""
    seen = {document.path}
    ways: list[tuple[Import, tuple[str, ...]]] = []
    for item, target in edges(document, view, document.path):
        if target not in seen:
            seen.add(target)
            ways.append((item, (target,)))
    for _ in range(hops):
        longer: list[tuple[Import, tuple[str, ...]]] = []
        for item, way in ways:
            for _, target in edges(document, view, way[-1]):
                if target not in seen:
                    seen.add(target)
                    longer.append((item, (*way, target)))
        ways = longer
    yield from ways
