"""The tables as the newest schema has them; `migrations/` makes them, and a test compares the two.

Times are RFC 3339 text in UTC (base/clock.py); JSON is text in canonical form. The ledger (`run_instruction_snapshots`)
and the baselines are append-only: triggers refuse UPDATE and DELETE, a gap in the revisions and a broken chain.
"""

from __future__ import annotations

from waybook.store.tables.base import metadata
from waybook.store.tables.compaction import COMPACTION_STATES, compaction_marks, compactions
from waybook.store.tables.context import context_audits, context_messages, context_traces, goal_events
from waybook.store.tables.continuity import (
    GIT_STATES,
    INSTRUCTION_BASES,
    NODE_KINDS,
    PIECE_KINDS,
    TASK_MODES,
    continuity_instructions,
    continuity_memory_references,
    continuity_memory_sets,
    continuity_messages,
    continuity_nodes,
)
from waybook.store.tables.instructions import (
    RUN_STATES,
    baseline_snapshots,
    missions,
    run_instruction_snapshots,
    runs,
    workspace_baselines,
    workspaces,
)
from waybook.store.tables.memory import MEMORY_SOURCES, RESERVED_NAMES, memories, memory_changes, memory_texts
from waybook.store.tables.tasks import task_anchors, task_briefs, task_references, task_results
from waybook.store.tables.threads import (
    COMPLETION_KINDS,
    NOTE_KINDS,
    candidate_texts,
    completions,
    memory_candidates,
    notes,
    pin_answers,
    pin_proposals,
    pins,
    thread_runs,
    threads,
)
from waybook.store.tables.transcripts import (
    MESSAGE_KINDS,
    MESSAGE_ROLES,
    RECEIPT_STATES,
    messages,
    sessions,
    tool_receipts,
    transcript_files,
)

__all__ = [
    "COMPACTION_STATES",
    "COMPLETION_KINDS",
    "GIT_STATES",
    "INSTRUCTION_BASES",
    "MEMORY_SOURCES",
    "MESSAGE_KINDS",
    "MESSAGE_ROLES",
    "NODE_KINDS",
    "NOTE_KINDS",
    "PIECE_KINDS",
    "RECEIPT_STATES",
    "RESERVED_NAMES",
    "RUN_STATES",
    "TASK_MODES",
    "baseline_snapshots",
    "candidate_texts",
    "compaction_marks",
    "compactions",
    "completions",
    "context_audits",
    "context_messages",
    "context_traces",
    "continuity_instructions",
    "continuity_memory_references",
    "continuity_memory_sets",
    "continuity_messages",
    "continuity_nodes",
    "goal_events",
    "memories",
    "memory_candidates",
    "memory_changes",
    "memory_texts",
    "messages",
    "metadata",
    "missions",
    "notes",
    "pin_answers",
    "pin_proposals",
    "pins",
    "run_instruction_snapshots",
    "runs",
    "sessions",
    "task_anchors",
    "task_briefs",
    "task_references",
    "task_results",
    "thread_runs",
    "threads",
    "tool_receipts",
    "transcript_files",
    "workspace_baselines",
    "workspaces",
]
