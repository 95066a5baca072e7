"""What can stand at the cursor: a path after `@` or in a link, a check's name in a comment, front matter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from waybook.analysis.markdown import parse
from waybook.base.text import Span
from waybook.editor.answers import Completion
from waybook.editor.front_matter import KEYS, at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from waybook.analysis.view import Document, View

MOST = 300
_ALLOW = re.compile(r"<!--\s*waybook:\s*(?:allow|allow-file)\s+(?:[\w-]+[\s,]+)*([\w-]*)$")
_IMPORT = re.compile(r"(?:^|[\s*_])@((?:\\ |[^\s`*|<>\"'()])*)$")
_LINK = re.compile(r"\]\(([^\s()<>:#]*)$")


def completions(view: View, path: str, offset: int, checks: Mapping[str, str]) -> list[Completion]:
    """The completions at an offset of a document. `checks` maps check codes to their titles."""
    document = view.documents.get(path)
    if document is None:
        return []
    begin = document.lines.line_span(document.lines.line_of(offset)).start
    before = document.text[begin:offset]
    allow = _ALLOW.search(before)
    if allow is not None:
        span = Span(begin + allow.start(1), offset)
        return [Completion(code, span, code, "check", title) for code, title in sorted(checks.items())]
    if at(document.text, offset) is not None:
        return list(_front(document, offset))
    if any(
        block.kind == "fence" and block.span.start <= offset <= block.span.end for block in parse(document.text).blocks
    ):
        return []
    for pattern in (_IMPORT, _LINK):
        match = pattern.search(before)
        if match is not None:
            return list(_paths(view, path, match[1], Span(begin + match.start(1), offset)))
    return []


def _paths(view: View, importer: str, written: str, span: Span) -> Iterator[Completion]:
    """The entries of the directory written so far, dot names too; the last part is replaced."""
    folder, _, _ = written.rpartition("/")
    base = importer.rpartition("/")[0]
    directory = _joined("" if written.startswith("/") else base, folder.replace("\\ ", " "))
    if directory is None:
        return
    last = Span(span.start + len(folder) + ("/" in written), span.end)
    for name in view.tree.names(directory)[:MOST]:
        inside = f"{directory}/{name}" if directory else name
        if inside in {importer, ".git"}:
            continue
        text = name.replace(" ", "\\ ")
        if view.tree.is_dir(inside):
            yield Completion(f"{name}/", last, f"{text}/", "folder", inside, again=True)
        else:
            yield Completion(name, last, text, "file", inside)


def _joined(base: str, folder: str) -> str | None:
    """A directory below the workspace; None when the path climbs out."""
    parts = base.split("/") if base else []
    for part in folder.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def _front(document: Document, offset: int) -> Iterator[Completion]:
    """Keys where none is finished, values after the colon."""
    found = at(document.text, offset)
    if found is None:
        return
    if found.value is None:
        for name, known in KEYS.items():
            yield Completion(name, found.key_span, f"{name}: ", "key", f"{known.meaning} ({known.readers})")
    elif offset >= found.value_span.start and found.key in KEYS:
        for value in KEYS[found.key].values:
            yield Completion(value, found.value_span, value, "value", KEYS[found.key].meaning)
