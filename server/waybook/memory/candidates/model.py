"""Records of candidates. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from waybook.sessions.progress.model import CompletionKind

PROTOCOL = "context_memory_candidate.v1"
MAX_SCANNED = 200
"""Source notes looked at for one list, the newest first; the limit of the .prayu protocol."""
MAX_RETURNED = 50
"""Candidates in one answer; the limit of the .prayu protocol."""

CONFIDENCE: dict[CompletionKind, str] = {
    CompletionKind.DELIVERY_REPORT_PASSED: "A delivery report passed. Check that it covers this conclusion.",
    CompletionKind.DELIVERY_CHECKPOINT: "A delivery checkpoint was taken. Check the conclusion against what it holds.",
    CompletionKind.RUN_COMPLETED: "The run completed. Check that the conclusion holds beyond this run.",
    CompletionKind.THREAD_REPLY: (
        "A reply ended, and that is all this says. Verify that the conclusion is right and where it applies."
    ),
}
"""What each basis is worth, in words for the person who decides."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The completion that a candidate rests on."""

    kind: CompletionKind
    completion_id: str
    reference: str
    recorded_by: str
    recorded_at: str
    confidence: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may become project memory. It is never part of a prompt or of recall.

    Once reviewed it is a tombstone: `title`, `content` and `references` are None and no longer stored. `source_changed`:
    the note has moved on since, so that it cannot be confirmed as it is.
    """

    id: str
    workspace_id: str
    note_id: str
    note_version: int
    author: Literal["operator", "agent"]
    thread_id: str
    run_id: str
    basis: Basis
    fingerprint: str
    status: Literal["pending", "confirmed", "rejected"]
    title: str | None
    content: str | None
    references: tuple[str, ...] | None
    memory_id: str | None
    reviewed_by: str | None
    reviewed_at: str | None
    version: int
    created_at: str
    updated_at: str
    source_changed: bool = False
    capability_grant: bool = False
    protocol_version: str = PROTOCOL


@dataclass(frozen=True, slots=True)
class Review:
    """What a person saw of a candidate; a decision holds for exactly this."""

    version: int
    fingerprint: str
    note_version: int


@dataclass(frozen=True, slots=True)
class Queue:
    """The pending candidates of a workspace, newest note first.

    `scanned`: how many source notes were looked at; `more`: how many further candidates wait behind these. `erasure` is
    `pending` while another program's open reader keeps dropped text from leaving the file.
    """

    candidates: tuple[Candidate, ...]
    scanned: int
    more: int
    erasure: Literal["done", "pending"] = "done"


@dataclass(frozen=True, slots=True)
class Decision:
    """A reviewed candidate. `memory_id`: what the confirmation wrote, also when that memory is gone by now.

    `repeated`: it had been decided so before, and nothing was written. `erasure`: whether the candidate's copy of the
    text has left the file.
    """

    candidate: Candidate
    memory_id: str | None
    repeated: bool
    erasure: Literal["done", "pending"]
