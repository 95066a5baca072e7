"""Paths that instruction text names: link destinations, and code spans that are nothing but a path.

Only these two are read as paths. Bare words, code blocks, globs, placeholders, URLs, package names, routes, media types
and git references are not.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.markdown import Block, Markdown, Piece
    from waybook.base.text import Span

_PATH = re.compile(r"(?:\.{1,2}/)*[A-Za-z0-9_.+\-]+(?:/[A-Za-z0-9_.@+\-\[\]()$]+)+/?")
_LINE_NUMBER = re.compile(r"(?::\d+(?:-\d+)?(?::\d+)?|#L\d+(?:-L?\d+)?)$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A path in the text. `path` is without fragment and line number; `span` covers the path as written."""

    kind: Literal["link", "code"]
    path: str
    span: Span
    block: Block


def mentions(markdown: Markdown) -> Iterator[Mention]:
    """The paths a document names, in source order."""
    for block in markdown.blocks:
        for piece in block.pieces:
            path = (
                of_link(piece.text) if piece.kind == "link" else of_code(piece.text) if piece.kind == "code" else None
            )
            if path is not None:
                yield Mention("link" if piece.kind == "link" else "code", path, _span(block, piece, path), block)


def _span(block: Block, piece: Piece, path: str) -> Span:
    start = block.content.find(path, piece.inner, piece.end)
    return block.source(start, start + len(path)) if start >= 0 else block.source(piece.start, piece.end)


def of_code(text: str) -> str | None:
    """The path that a code span consists of; None when it is anything else."""
    path = _LINE_NUMBER.sub("", text) if ":" in text or "#" in text else text
    return path if "/" in path and _PATH.fullmatch(path) else None


def of_link(destination: str) -> str | None:
    """The relative path of a link's destination; None for URLs, anchors, absolute and templated ones."""
    if "://" in destination:
        return None
    path = unquote(destination.partition("#")[0].partition("?")[0])
    if (
        not path
        or "\n" in path
        or path.startswith(("/", "~", "#"))
        or ":" in path
        or any(char in path for char in "<>{}*$|\\ …")
    ):
        return None
    return path


def candidates(text: str) -> Iterator[tuple[str, bool]]:
    """Every word that may be such a path, read without parsing, and whether it stood as a link: a superset."""
    if "`" in text:
        for word in set(text.split("`")):
            if "/" in word and " " not in word and "\n" not in word and (path := of_code(word)) is not None:
                yield path, False
    if "](" in text:
        for word in {part.partition(")")[0] for part in text.split("](")}:
            link = of_link(word.split(" ", 1)[0].strip("<>"))
            if link is not None:
                yield link, True


def clean(directory: str, path: str) -> str | None:
    """A path relative to a directory as a workspace path; None when it leaves the workspace."""
    joined = posixpath.normpath(posixpath.join(directory, path))
    return None if joined == ".." or joined.startswith(("../", "/")) else "" if joined == "." else joined
