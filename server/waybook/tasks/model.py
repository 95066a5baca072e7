"""Records of recursive task contracts. No input or output here; none of them can grant anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

ReferenceKind = Literal["task_brief", "reviewed_task_result"]
Verdict = Literal["passed", "failed", "unknown"]
Decision = Literal["accept", "revise", "reject"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """The root's contract: one authoritative copy. `text` is its normal JSON, `sha256` that text's digest."""

    objective: str
    completion_criteria: tuple[str, ...]
    constraints: tuple[str, ...]
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ContextRef:
    """Names one version of one snapshot, exactly."""

    ref_id: str
    version: str


@dataclass(frozen=True, slots=True)
class Brief:
    """A task as a parent hands it down. `text` is its normal JSON, `sha256` that text's digest.

    `constraints` begin with those of the anchor and of the direct parent. `context` is JSON data.
    """

    objective: str
    reason: str
    completion_criteria: tuple[str, ...]
    expected_outputs: tuple[str, ...]
    parent_findings: tuple[str, ...]
    context: Any
    constraints: tuple[str, ...]
    context_refs: tuple[ContextRef, ...]
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class BriefVersion:
    """A brief as a trace has it; the highest version is the current one."""

    trace_id: str
    version: int
    brief: Brief
    created_by: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Something that may be referred to: its exact content, whose digest is its version."""

    ref: ContextRef
    kind: ReferenceKind
    body: str


@dataclass(frozen=True, slots=True)
class Grant:
    """A snapshot in a trace's own catalogue; `granted_at` is the trace's sequence then."""

    snapshot: Snapshot
    granted_at: int


@dataclass(frozen=True, slots=True)
class ReferenceEvent:
    """One thing done to a trace's catalogue. `clear` empties it; `rewind` takes back what came after `at_sequence`."""

    action: Literal["grant", "clear", "rewind"]
    at_sequence: int
    snapshot: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a child reported, how that was validated, what its parent decided. JSON data, frozen as text.

    `next_brief`: the brief that the parent approved for what comes next, or None.
    """

    report: Any
    validation: Any
    review: Any
    verdict: Verdict
    next_brief: Brief | None = None


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review that was kept. `reference` is None when the result is too large to refer to; `warning` then says so."""

    trace_id: str
    number: int
    reference: ContextRef | None
    warning: str


@dataclass(frozen=True, slots=True)
class Packet:
    """What a validator is given. `text` is empty when the verdict is `unknown` before anybody was asked."""

    text: str
    characters: int
    messages: int
    left_out: int
    verdict: Literal["", "unknown"] = ""
    reason: str = ""
    capability_grant: bool = False
