"""The paths a document names, imports and others, with where each leads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from waybook.analysis.markdown import parse
from waybook.analysis.markdown_imports import imports, resolve
from waybook.analysis.prose_paths import clean, mentions
from waybook.base.text import Span
from waybook.editor.scopes import scope_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.markdown_imports import Import
    from waybook.analysis.prose_paths import Mention
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
    for found in imports(document.text):
        named_import = _of_import(document, view, found)
        if named_import is not None:
            yield named_import
    for mention in mentions(parse(document.text)):
        yield _of_mention(document, view, mention)


def _of_import(document: Document, view: View, found: Import) -> Named | None:
    target = resolve(document.path, found.path)
    exists = target is not None and view.tree.exists(target)
    if not exists and not found.file_like:
        return None
    span = Span(found.span.start + 1, found.span.end)
    return Named("import", found.path, span, target, exists, document.path.rpartition("/")[0])


def _of_mention(document: Document, view: View, mention: Mention) -> Named:
    directory = document.path.rpartition("/")[0]
    bases = dict.fromkeys((directory, scope_of_file(document.path), ""))
    targets = [(base, target) for base in bases if (target := clean(base, mention.path)) is not None]
    base, target = next(((base, target) for base, target in targets if view.tree.exists(target)), (directory, None))
    if target is not None:
        return Named(mention.kind, mention.path, mention.span, target, exists=True, base=base)
    first = targets[0][1] if targets else None
    return Named(mention.kind, mention.path, mention.span, first, exists=False, base=directory)


def named_at(document: Document, view: View, offset: int) -> Named | None:
    """The path under an offset; the `@` of an import and the end of the word count as inside."""
    if not _may_name(document.text, offset):
        return None
    for found in imports(document.text):
        if found.span.start <= offset <= found.span.end and (known := _of_import(document, view, found)) is not None:
            return known
    for mention in mentions(parse(document.text)):
        if mention.span.start <= offset <= mention.span.end:
            return _of_mention(document, view, mention)
    return None


_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")


def _may_name(text: str, offset: int) -> bool:
    """Whether the block at an offset may hold a path; asked before parsing. No block with markup spans a blank line."""
    start = 0
    for match in _BLANK_LINE.finditer(text):
        if match.end() > offset:
            area = text[start : max(offset, match.start() + 1)]
            break
        start = match.end() - 1
    else:
        area = text[start:]
    return "@" in area or "[" in area or ("`" in area and "/" in area)


def who_names(view: View, path: str) -> Iterator[tuple[str, Named]]:
    """Every document that names a path, and how."""
    for document in view.documents.values():
        if path.rpartition("/")[2] not in document.text:
            continue
        for found in named(document, view):
            if found.target == path:
                yield document.path, found
