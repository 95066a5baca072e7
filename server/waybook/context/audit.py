"""What a past call was sent: kept with ids, versions, digests and tokens, never with the words themselves.

Three facts stay apart. What is configured stands in memory and pins now; what was injected stands here; whether a model
followed it, only its replies and receipts show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.context.model import Rank, Section

if TYPE_CHECKING:
    from waybook.context.assemble import Assembly

PROTOCOL = "context_audit.v1"


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose call it was: a trace, and the run and thread it belongs to; "" for none."""

    trace_id: str = ""
    run_id: str = ""
    thread_id: str = ""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One call. `call` counts the logical calls of its subject from 1; a retry is the same call."""

    id: str
    subject: Subject
    call: int
    model: str
    window: int
    total_tokens: int
    request_sha256: str
    at: str
    included: tuple[Section, ...]
    omitted: tuple[Section, ...]
    capability_grant: bool = False

    def to_json(self) -> dict[str, Any]:
        """The record with its protocol in front."""
        return {
            "protocol": PROTOCOL,
            "id": self.id,
            "trace_id": self.subject.trace_id,
            "run_id": self.subject.run_id,
            "thread_id": self.subject.thread_id,
            "call": self.call,
            "model": self.model,
            "window": self.window,
            "total_tokens": self.total_tokens,
            "request_sha256": self.request_sha256,
            "at": self.at,
            "included": [section.to_json() for section in self.included],
            "omitted": [section.to_json() for section in self.omitted],
            "capability_grant": False,
        }


def account(assembly: Assembly, record_id: str, subject: Subject, call: int, now: str) -> AuditRecord:
    """The record of an assembled call."""
    return AuditRecord(
        id=record_id,
        subject=subject,
        call=call,
        model=assembly.model,
        window=assembly.window,
        total_tokens=assembly.total,
        request_sha256=assembly.sha256,
        at=now,
        included=tuple(section for section in assembly.sections if section.included),
        omitted=tuple(section for section in assembly.sections if not section.included),
    )


def section_from(value: dict[str, Any]) -> Section:
    """A section as it was kept."""
    return Section(**{**value, "rank": Rank(value["rank"])})
