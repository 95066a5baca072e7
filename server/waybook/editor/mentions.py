"""The paths a document names, imports and others, with where each leads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from waybook.analysis.markdown import parse
from waybook.analysis.markdown_imports import imports, resolve
from waybook.analysis.prose_paths import clean, mentions
from waybook.base.text import Span
from waybook.editor.scopes import scope_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


@dataclass(frozen=True, slots=True)
class Named:
    """A path in the text. `written` is as it stands there, `span` covers exactly that; `base` is what it is relative to.

    `target` is the workspace path it leads to, None when it leads outside; `exists` whether something is there.
    """

    kind: Literal["import", "link", "code"]
    written: str
    span: Span
    target: str | None
    exists: bool
    base: str = ""


def named(document: Document, view: View) -> Iterator[Named]:
    """Every path of a document: imports, link destinations, and code spans that are nothing but a path."""
    directory = document.path.rpartition("/")[0]
    for found in imports(document.text):
        target = resolve(document.path, found.path)
        exists = target is not None and view.tree.exists(target)
        if exists or found.file_like:
            span = Span(found.span.start + 1, found.span.end)
            yield Named("import", found.path, span, target, exists, directory)
    for mention in mentions(parse(document.text)):
        bases = dict.fromkeys((directory, scope_of_file(document.path), ""))
        targets = [(base, target) for base in bases if (target := clean(base, mention.path)) is not None]
        base, target = next(((base, target) for base, target in targets if view.tree.exists(target)), (directory, None))
        if target is not None:
            yield Named(mention.kind, mention.path, mention.span, target, exists=True, base=base)
        else:
            first = targets[0][1] if targets else None
            yield Named(mention.kind, mention.path, mention.span, first, exists=False, base=directory)


def named_at(document: Document, view: View, offset: int) -> Named | None:
    """The path under an offset; the `@` of an import and the end of the word count as inside."""
    for found in named(document, view):
        start = found.span.start - 1 if found.kind == "import" else found.span.start
        if start <= offset <= found.span.end:
            return found
    return None


def who_names(view: View, path: str) -> Iterator[tuple[str, Named]]:
    """Every document that names a path, and how."""
    for document in view.documents.values():
        if path.rpartition("/")[2] not in document.text:
            continue
        for found in named(document, view):
            if found.target == path:
                yield document.path, found
