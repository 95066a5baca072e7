"""Records of completions. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CompletionKind(StrEnum):
    """What can be recorded as done, the strongest first."""

    DELIVERY_REPORT_PASSED = "delivery_report_passed"
    DELIVERY_CHECKPOINT = "delivery_checkpoint"
    RUN_COMPLETED = "run_completed"
    THREAD_REPLY = "thread_reply"


@dataclass(frozen=True, slots=True)
class Completion:
    """That something of a run or thread is done; never changed. `reference` names the message, checkpoint or report.

    `repeated`: it had been recorded before. `thread_id` and `run_id` are "" where there is none.
    """

    id: str
    workspace_id: str
    thread_id: str
    run_id: str
    kind: CompletionKind
    reference: str
    recorded_by: str
    created_at: str
    repeated: bool = False
