"""Contracts of recursive tasks: root anchors, briefs by version, references as they were given, reviewed results."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, PrimaryKeyConstraint, Table, Text

from waybook.store.tables.base import metadata, number, one_of, text

REFERENCE_ACTIONS = ("grant", "clear", "rewind")
REFERENCE_KINDS = ("", "task_brief", "reviewed_task_result")

task_anchors = Table(
    "task_anchors",
    metadata,
    Column("trace_id", Text, ForeignKey("context_traces.id"), primary_key=True),
    *(text(name) for name in ("body", "sha256", "created_by", "created_at")),
    CheckConstraint("length(body) BETWEEN 2 AND 4000", name="body"),
    CheckConstraint("length(sha256) = 64", name="sha256"),
    sqlite_strict=True,
)

task_briefs = Table(
    "task_briefs",
    metadata,
    Column("trace_id", Text, ForeignKey("context_traces.id"), nullable=False),
    number("version"),
    *(text(name) for name in ("body", "sha256", "anchor_sha256", "created_by", "created_at")),
    PrimaryKeyConstraint("trace_id", "version"),
    CheckConstraint("length(body) BETWEEN 2 AND 16000", name="body"),
    CheckConstraint("length(sha256) = 64 AND length(anchor_sha256) = 64", name="sha256"),
    sqlite_strict=True,
)

task_references = Table(
    "task_references",
    metadata,
    Column("trace_id", Text, ForeignKey("context_traces.id"), nullable=False),
    number("number"),
    *(text(name) for name in ("action", "ref_id", "version", "kind", "body")),
    number("at_sequence"),
    text("created_at"),
    PrimaryKeyConstraint("trace_id", "number"),
    CheckConstraint(one_of("action", REFERENCE_ACTIONS), name="action"),
    CheckConstraint(one_of("kind", REFERENCE_KINDS), name="kind"),
    CheckConstraint(
        "(action = 'grant') = (kind <> '') AND (action = 'grant') = (ref_id <> '') "
        "AND (action = 'grant') = (length(version) = 64)",
        name="grant",
    ),
    CheckConstraint("length(body) <= 16000", name="body"),
    CheckConstraint("at_sequence >= 0", name="at_sequence"),
    sqlite_strict=True,
)

task_results = Table(
    "task_results",
    metadata,
    Column("trace_id", Text, ForeignKey("context_traces.id"), nullable=False),
    number("number"),
    number("brief_version"),
    *(text(name) for name in ("verdict", "body", "next_brief_sha256", "created_by", "created_at")),
    PrimaryKeyConstraint("trace_id", "number"),
    CheckConstraint("length(next_brief_sha256) IN (0, 64)", name="next_brief_sha256"),
    sqlite_strict=True,
)
