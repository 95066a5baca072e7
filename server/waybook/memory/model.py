"""Records of long-term memory (`context_memory.v1`). No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from waybook.base.records import to_json

PROTOCOL = "context_memory.v1"
USER_SCOPE_ID = "local-user"


class Scope(StrEnum):
    """Whom a memory is about: the person, or one workspace."""

    USER = "user"
    PROJECT = "project"


class Status(StrEnum):
    """Whether an operator has switched a memory off."""

    ACTIVE = "active"
    DISABLED = "disabled"


class SourceKind(StrEnum):
    """How a memory came about; each of them by an operator's act."""

    EXPLICIT = "operator_explicit"
    IMPORT = "operator_import_explicit"
    CANDIDATE = "operator_confirmed_candidate"


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory to be made, as an operator gives it; `rules.settle` checks it.

    `scope_id` is the workspace's id for a project memory and may be empty for the user's. `retention` is a span (`720h`,
    `30d`), a time, or empty for no end. `redact_sensitive`: keep the text with its secrets replaced instead of refusing.
    """

    scope: str
    title: str
    content: str
    scope_id: str = ""
    source_kind: SourceKind = SourceKind.EXPLICIT
    source_ref: str = ""
    references: tuple[str, ...] = ()
    retention: str = ""
    redact_sensitive: bool = False
    status: Status = Status.ACTIVE


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit replaces; None leaves a field as it is. `retention` is as in a draft, and `none` lifts it."""

    title: str | None = None
    content: str | None = None
    source_ref: str | None = None
    references: tuple[str, ...] | None = None
    retention: str | None = None
    redact_sensitive: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to change."""
        return (self.title, self.content, self.source_ref, self.references, self.retention) == (None,) * 5


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory. Times are RFC 3339 in UTC; `retention_until` is empty for no end.

    `expired` says whether the retention was over when the record was read; then, or when disabled, it reaches no prompt.
    """

    id: str
    scope: Scope
    scope_id: str
    title: str
    content: str
    content_sha256: str
    status: Status
    source_kind: SourceKind
    source_ref: str
    references: tuple[str, ...]
    retention_until: str
    redacted: bool
    created_by: str
    updated_by: str
    version: int
    created_at: str
    updated_at: str
    expired: bool

    @property
    def state(self) -> str:
        """`active`, `disabled` or `expired`, for people; disabled comes first."""
        return "disabled" if self.status is Status.DISABLED else "expired" if self.expired else "active"

    def to_json(self) -> dict[str, Any]:
        """The record with its protocol in front."""
        body = {name: to_json(getattr(self, name)) for name in self.__dataclass_fields__}
        return {"protocol": PROTOCOL, **body}


@dataclass(frozen=True, slots=True)
class Written:
    """A memory after a write.

    `erasure`: replaced text is gone from every file (`done`), or waits until somebody has finished reading (`pending`).
    """

    memory: Memory
    erasure: str = "done"

    def to_json(self) -> dict[str, Any]:
        """The record itself, with `erasure`."""
        return {**self.memory.to_json(), "erasure": self.erasure}


@dataclass(frozen=True, slots=True)
class Deleted:
    """A memory that is gone for good. `version` is the one that was deleted."""

    id: str
    version: int
    recoverable: bool
    erasure: str


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a list, newest update first, then by id. `next_cursor` continues it; empty at the end."""

    memories: tuple[Memory, ...]
    next_cursor: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that a search found: its score (higher is better) and the text around the first match."""

    memory: Memory
    score: int
    excerpt: str


@dataclass(frozen=True, slots=True)
class Hits:
    """Part of a search's answer, best first. `total` counts every match; `next_cursor` continues, empty at the end."""

    hits: tuple[Hit, ...]
    total: int
    next_cursor: str
