"""Records of recall. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass, field

from waybook.instructions.model import Authority

MAX_QUERY = 256
"""Characters of a query."""
MAX_RESULTS = 20
"""Results of one page."""
MAX_SCANNED = 256
"""Records that one call looks at."""
PAGE_BYTES, MAX_PAGE_BYTES = 4 * 1024, 8 * 1024
"""UTF-8 bytes of a page of text: by default, and at most."""
MAX_RUNS = 1024
"""Runs of a thread's validated chain."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """Whose history a run may recall: its workspace, and the runs of its thread up to itself, oldest first."""

    run_id: str
    workspace_id: str
    thread_id: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that can be recalled, as it is now.

    `kind`: memory, note, message, receipt (of a finished tool call), summary or continuity. `place` is its keyset
    position in its source. `state` is what it must still be when it is read.
    """

    kind: str
    id: str
    place: tuple[str | int, ...]
    version: int
    state: str
    title: str
    text: str
    at: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A result: what it is, an excerpt around the match, and the handle to read it with."""

    kind: str
    id: str
    title: str
    at: str
    excerpt: str
    bytes: int
    handle: str


@dataclass(frozen=True, slots=True)
class Results:
    """A page, newest first. `next_cursor` goes on, also where nothing was found yet; it is empty at the end."""

    run_id: str
    query: str
    hits: tuple[Hit, ...]
    scanned: int
    next_cursor: str
    authority: Authority = field(default_factory=Authority)


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a text. `offset` and `next_offset` count UTF-8 bytes; `next_offset` is None at the end.

    `content_sha256` is that of the whole text and is required for every page after the first.
    """

    handle: str
    kind: str
    id: str
    title: str
    at: str
    version: int
    text: str
    offset: int
    next_offset: int | None
    total_bytes: int
    content_sha256: str
    authority: Authority = field(default_factory=Authority)


@dataclass(frozen=True, slots=True)
class ShortReceipt:
    """A finished tool call of a sub-agent: whole where it is small, else its beginning and what to read the rest with."""

    call_id: str
    name: str
    state: str
    exit_code: int | None
    bytes: int
    content_sha256: str
    text: str
    whole: bool
    handle: str
    finished_at: str


@dataclass(frozen=True, slots=True)
class Receipts:
    """The finished tool calls of one attempt of a sub-agent, in their order. `open_calls` have no outcome to be shown."""

    run_id: str
    agent: str
    attempt: int
    receipts: tuple[ShortReceipt, ...]
    open_calls: int
    authority: Authority = field(default_factory=Authority)
