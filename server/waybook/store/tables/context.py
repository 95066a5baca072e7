"""Traces with their messages, what was done to goal trees, and what past calls were sent. Nothing of it is rewritten."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from waybook.store.tables.base import metadata, number, one_of, text

TRACE_ROLES = ("system", "user", "assistant", "tool")
TRACE_KINDS = ("plain", "summary", "context", "skill", "steering")
BRANCH_TYPES = ("", "reflection", "knowledge_eval", "compression")
GOAL_ACTIONS = ("add", "focus", "done", "abandon", "rewind")

context_traces = Table(
    "context_traces",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    *(text(name) for name in ("id", "root_id")),
    Column("parent_id", Text, ForeignKey("context_traces.id")),
    Column("run_id", Text, ForeignKey("runs.id")),
    Column("thread_id", Text, ForeignKey("threads.id")),
    number("depth"),
    *(text(name) for name in ("capabilities", "skills")),
    number("head"),
    *(text(name) for name in ("created_by", "created_at", "updated_at")),
    UniqueConstraint("id"),
    CheckConstraint("depth BETWEEN 0 AND 32", name="depth"),
    CheckConstraint("(parent_id IS NULL) = (depth = 0) AND (parent_id IS NULL) = (root_id = id)", name="lineage"),
    CheckConstraint("head >= 0", name="head"),
    Index(None, "parent_id"),
    Index(None, "run_id"),
    Index(None, "thread_id"),
    sqlite_strict=True,
)

context_messages = Table(
    "context_messages",
    metadata,
    Column("trace_seq", Integer, ForeignKey("context_traces.seq"), nullable=False),
    *(number(name) for name in ("sequence", "parent_sequence")),
    *(text(name) for name in ("id", "role", "kind", "content", "calls", "call_id", "goal_id")),
    *(text(name) for name in ("branch_type", "branch_id", "reasoning", "display", "provenance", "created_at")),
    PrimaryKeyConstraint("trace_seq", "sequence"),
    UniqueConstraint("id"),
    CheckConstraint(one_of("role", TRACE_ROLES), name="role"),
    CheckConstraint(one_of("kind", TRACE_KINDS), name="kind"),
    CheckConstraint(one_of("branch_type", BRANCH_TYPES), name="branch_type"),
    CheckConstraint("(branch_type = '') = (branch_id = '')", name="branch"),
    CheckConstraint("parent_sequence >= 0 AND parent_sequence < sequence", name="parent"),
    sqlite_strict=True,
)

goal_events = Table(
    "goal_events",
    metadata,
    text("owner"),
    number("number"),
    *(text(name) for name in ("action", "goal_id", "text")),
    number("sequence"),
    *(text(name) for name in ("recorded_by", "created_at")),
    PrimaryKeyConstraint("owner", "number"),
    CheckConstraint(one_of("action", GOAL_ACTIONS), name="action"),
    CheckConstraint("(action = 'rewind') = (goal_id = '')", name="goal"),
    CheckConstraint("length(text) <= 8192", name="text"),
    CheckConstraint("sequence >= 0", name="sequence"),
    sqlite_strict=True,
)

context_audits = Table(
    "context_audits",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    *(text(name) for name in ("id", "trace_id", "run_id", "thread_id")),
    number("call"),
    text("model"),
    *(number(name) for name in ("window", "total_tokens")),
    *(text(name) for name in ("request_sha256", "sections", "created_at")),
    UniqueConstraint("id"),
    UniqueConstraint("trace_id", "call"),
    CheckConstraint("call >= 1 AND window >= 1 AND total_tokens >= 0", name="numbers"),
    CheckConstraint("length(request_sha256) = 64", name="request_sha256"),
    Index(None, "run_id"),
    Index(None, "thread_id"),
    sqlite_strict=True,
)
