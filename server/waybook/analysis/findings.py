"""What a check says: findings, and the fixes that come with them. Plain values with `str` offsets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.base.text import Span

Severity = Literal["error", "warning", "information", "hint"]
Tag = Literal["unnecessary", "deprecated"]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that explains a finding."""

    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace `span` of the document at `path` by `new_text`."""

    path: str
    span: Span
    new_text: str


@dataclass(frozen=True, slots=True)
class CreateFile:
    """Make a file that does not exist yet."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """Remove a file, or a link itself (never what it leads to)."""

    path: str


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to mend a finding. `edits` apply together; a link is replaced by DeleteFile then CreateFile.

    `preferred`: the plain choice, safe to apply unasked (`check --fix`, `source.fixAll.waybook`).
    """

    title: str
    edits: tuple[TextEdit | CreateFile | DeleteFile, ...]
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One flaw at one place. `path` is workspace-relative; `agents` names the agents concerned (empty: the profile).

    `severity` "" means the check's own; `data` travels with the diagnostic (JSON values only).
    """

    code: str
    path: str
    span: Span
    message: str
    severity: Severity | Literal[""] = ""
    tags: tuple[Tag, ...] = ()
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    agents: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
