r"""`@path` imports in instruction text: which words are imports, and where they lead.

The grammar is Claude Code's (2.1.332, measured): an `@` at the start of a line, after white space or bold marks; a blank
written `\ `; never in a code span, a fence or a comment, nor after a parenthesis, a quote or a letter. An `@` is also
used for people, packages and decorators, so a word counts only when it is shaped like a path or leads to a file.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from waybook.analysis.markdown import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.base.text import Span

MAX_HOPS = 4
"""Imports followed one after another, counted from the first file (Claude Code 2.1.332, measured)."""

_WORD = re.compile(r"@((?:\\ |[^\s\\`*|<>\"'()\[\]{},;@])+)")
_TEXT_FILE = re.compile(r"\.(?:md|mdc|mdx|markdown|txt|rst|adoc)$", re.IGNORECASE)
_ANY_FILE = re.compile(r"/[^/]*[A-Za-z0-9_-]\.[A-Za-z][A-Za-z0-9]{0,5}$")


@dataclass(frozen=True, slots=True)
class Import:
    r"""One `@path`. `span` includes the `@`; `path` is as written, with `\ ` read as a blank."""

    span: Span
    path: str

    @property
    def plain(self) -> bool:
        """Whether the word is shaped like a text file's path, so that nothing else can be meant."""
        explicit = self.path.startswith(("./", "../", "~/")) and not self.path.endswith("/")
        return explicit or _TEXT_FILE.search(self.path) is not None

    @property
    def file_like(self) -> bool:
        """Whether it at least ends like a file in a directory."""
        return self.plain or _ANY_FILE.search(self.path) is not None


def resolve(importer: str, path: str) -> str | None:
    """The workspace-relative path an import leads to; None when it leaves the workspace (`~/`, absolute, `..`)."""
    if path.startswith(("/", "~")) or "\0" in path:
        return None
    target = posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))
    return None if target == ".." or target.startswith("../") else target


def candidates(text: str) -> tuple[str, ...]:
    """The paths of every word that may be an import, read without parsing: a superset of `imports`."""
    return _candidates(text) if "@" in text else ()


@lru_cache(maxsize=512)
def _candidates(text: str) -> tuple[str, ...]:
    found = (_clean(match[1])[0] for match in _WORD.finditer(text) if not _glued(text, match.start()))
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=256)
def imports(text: str) -> tuple[Import, ...]:
    """The imports of a text in source order, path-shaped or not."""
    return tuple(_imports(text)) if "@" in text else ()


def _imports(text: str) -> Iterator[Import]:
    for block in parse(text).blocks:
        if block.kind in {"fence", "html"} or "@" not in block.content:
            continue
        for piece in block.pieces:
            if piece.kind != "text":
                continue
            for match in _WORD.finditer(block.content, piece.start, piece.end):
                path, length = _clean(match[1])
                if path and not _glued(block.content, match.start()):
                    yield Import(block.source(match.start(), match.start() + 1 + length), path)


def _glued(content: str, at: int) -> bool:
    return at > 0 and content[at - 1] not in " \t\n\r*_\u3000"


def _clean(word: str) -> tuple[str, int]:
    """The path in a matched word, and its length as written: sentence marks at the end are no part of it."""
    written = word.rstrip(".!?:")
    return written.replace("\\ ", " ").partition("#")[0], len(written)
