"""The plain values that editor functions give; a face translates them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from waybook.analysis.findings import CreateFile, DeleteFile, TextEdit
from waybook.base.text import Span

CountTokens = Callable[[str, str], int | None]
"""(text, its digest) -> tokens; None while they cannot be counted."""

Edit = TextEdit | CreateFile | DeleteFile


def no_tokens(_text: str, _sha: str) -> int | None:
    """Counts nothing: sizes are shown in bytes."""
    return None


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown about a place; `span` is what it is about, None for the whole file."""

    markdown: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Lens:
    """A line of text above the line of `span`; `argument` is the one params object of `command`."""

    span: Span
    title: str
    command: str
    argument: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """A place to go to: a workspace-relative path and a span in it. `origin` is what was asked about."""

    path: str
    span: Span = field(default_factory=lambda: Span(0, 0))
    origin: Span | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A path in the text that leads to an existing file of the workspace."""

    span: Span
    path: str
    tooltip: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A heading: `span` is its section, `name_span` its own line; `path` matters for symbols of a whole workspace."""

    name: str
    level: int
    span: Span
    name_span: Span
    children: tuple[Symbol, ...] = ()
    path: str = ""


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines (from 0, both inclusive) that can be folded into the first."""

    first: int
    last: int
    kind: Literal["region", "comment", "imports"] = "region"


@dataclass(frozen=True, slots=True)
class Completion:
    """Replace `span` by `text`; `again` asks the editor to complete further (a directory)."""

    label: str
    span: Span
    text: str
    kind: Literal["file", "folder", "key", "value", "check"]
    detail: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """Something to do about a place: edits, or a command with its one params object.

    `codes` are the findings it mends; `kind` is the protocol's dotted kind.
    """

    title: str
    kind: str
    edits: tuple[Edit, ...] = ()
    command: str = ""
    argument: Mapping[str, Any] = field(default_factory=dict)
    preferred: bool = False
    codes: tuple[str, ...] = ()
