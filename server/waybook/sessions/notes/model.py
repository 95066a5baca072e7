"""Records of notes. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

PROTOCOL = "note.v1"


class NoteKind(StrEnum):
    """What a note is; only decisions and summaries can become candidates for memory."""

    DECISION = "decision"
    SUMMARY = "summary"
    FINDING = "finding"
    QUESTION = "question"
    PLAN = "plan"
    OTHER = "other"


Visibility = Literal["root", "specialist"]


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """A note to be written, as given. `thread_id` and `run_id` may be ""; a run's thread is found by itself.

    `source_ref`: where the text comes from; `evidence`: what supports it. `visibility` root: shown to the main agent of
    the thread; specialist: only to the sub-agent that works in the run.
    """

    kind: str
    title: str
    content: str
    thread_id: str = ""
    run_id: str = ""
    source_ref: str = ""
    evidence: tuple[str, ...] = ()
    visibility: str = "root"


@dataclass(frozen=True, slots=True)
class NoteChange:
    """What an edit replaces; None leaves a field as it is."""

    title: str | None = None
    content: str | None = None
    source_ref: str | None = None
    evidence: tuple[str, ...] | None = None
    visibility: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A stored note. `author` says whether a person or an agent wrote it; `redacted`: secrets were replaced by marks.

    `fingerprint` covers title, content and references: the same text gives the same fingerprint.
    """

    id: str
    workspace_id: str
    thread_id: str
    run_id: str
    kind: NoteKind
    title: str
    content: str
    source_ref: str
    evidence: tuple[str, ...]
    visibility: Visibility
    status: Literal["active", "archived"]
    fingerprint: str
    redacted: bool
    version: int
    author: Literal["operator", "agent"]
    created_by: str
    updated_by: str
    created_at: str
    updated_at: str
    protocol_version: str = PROTOCOL
