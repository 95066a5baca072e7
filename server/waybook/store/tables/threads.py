"""Threads, completions, notes, candidates for memory, pins and proposals to pin."""

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

from waybook.store.tables.base import bytes_between, metadata, no_nul, one_of, text

COMPLETION_KINDS = ("run_completed", "thread_reply", "delivery_checkpoint", "delivery_report_passed")
NOTE_KINDS = ("decision", "summary", "finding", "question", "plan", "other")

threads = Table(
    "threads",
    metadata,
    Column("id", Text, primary_key=True),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    *(text(name) for name in ("title", "state")),
    Column("version", Integer, nullable=False),
    *(text(name) for name in ("created_by", "updated_by", "created_at", "updated_at")),
    CheckConstraint("state IN ('open', 'closed')", name="state"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint(bytes_between("title", 1, 256), name="title"),
    Index(None, "workspace_id", "created_at"),
    sqlite_strict=True,
)

thread_runs = Table(
    "thread_runs",
    metadata,
    Column("thread_id", Text, ForeignKey("threads.id"), nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("run_id", Text, ForeignKey("runs.id"), nullable=False),
    text("created_at"),
    PrimaryKeyConstraint("thread_id", "sequence"),
    UniqueConstraint("run_id"),
    CheckConstraint("sequence BETWEEN 1 AND 1024", name="sequence"),
    sqlite_strict=True,
)

completions = Table(
    "completions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    Column("thread_id", Text, ForeignKey("threads.id")),
    Column("run_id", Text, ForeignKey("runs.id")),
    *(text(name) for name in ("kind", "reference", "recorded_by", "created_at")),
    CheckConstraint(one_of("kind", COMPLETION_KINDS), name="kind"),
    CheckConstraint("run_id IS NOT NULL OR (thread_id IS NOT NULL AND kind <> 'run_completed')", name="subject"),
    CheckConstraint(bytes_between("reference", 0, 512), name="reference"),
    Index(None, "run_id", "kind", "created_at"),
    Index(None, "thread_id", "kind", "created_at"),
    sqlite_strict=True,
)

notes = Table(
    "notes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    Column("thread_id", Text, ForeignKey("threads.id")),
    Column("run_id", Text, ForeignKey("runs.id")),
    *(
        text(name)
        for name in ("kind", "title", "content", "source_ref", "evidence", "visibility", "status", "fingerprint")
    ),
    Column("redacted", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    *(text(name) for name in ("author", "created_by", "updated_by", "created_at", "updated_at")),
    CheckConstraint(one_of("kind", NOTE_KINDS), name="kind"),
    CheckConstraint("visibility IN ('root', 'specialist')", name="visibility"),
    CheckConstraint("status IN ('active', 'archived')", name="status"),
    CheckConstraint("author IN ('operator', 'agent')", name="author"),
    CheckConstraint("redacted IN (0, 1)", name="redacted"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint(bytes_between("title", 1, 256), name="title"),
    CheckConstraint(bytes_between("content", 1, 16384), name="content"),
    Index(None, "workspace_id", "status", "updated_at"),
    Index(None, "thread_id", "updated_at"),
    Index(None, "run_id"),
    sqlite_strict=True,
)

candidate_texts = Table(
    "candidate_texts",
    metadata,
    Column("seq", Integer, nullable=False),
    *(text(name) for name in ("title", "content", "refs")),
    PrimaryKeyConstraint("seq"),
    CheckConstraint(bytes_between("title", 0, 256), name="title"),
    CheckConstraint(bytes_between("content", 0, 16384), name="content"),
    CheckConstraint("(title = '') = (content = '') AND (title = '') = (refs = '')", name="whole"),
    sqlite_strict=True,
)

memory_candidates = Table(
    "memory_candidates",
    metadata,
    Column("id", Text, primary_key=True),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    Column("note_id", Text, ForeignKey("notes.id"), nullable=False),
    Column("note_version", Integer, nullable=False),
    Column("completion_id", Text, ForeignKey("completions.id"), nullable=False),
    *(text(name) for name in ("basis", "fingerprint", "status")),
    Column("text_seq", Integer, ForeignKey("candidate_texts.seq")),
    *(Column(name, Text) for name in ("memory_id", "reviewed_by", "reviewed_at")),
    Column("version", Integer, nullable=False),
    *(text(name) for name in ("created_at", "updated_at")),
    UniqueConstraint("text_seq"),
    CheckConstraint(one_of("basis", COMPLETION_KINDS), name="basis"),
    CheckConstraint("length(fingerprint) = 64", name="fingerprint"),
    CheckConstraint("version >= 1 AND note_version >= 1", name="version"),
    CheckConstraint(
        "(status = 'pending' AND text_seq IS NOT NULL AND memory_id IS NULL AND reviewed_by IS NULL "
        "AND reviewed_at IS NULL) OR (status IN ('confirmed', 'rejected') AND text_seq IS NULL "
        "AND (memory_id IS NOT NULL) = (status = 'confirmed') AND reviewed_by IS NOT NULL AND reviewed_at IS NOT NULL)",
        name="tombstone",
    ),
    Index(None, "note_id", "fingerprint", unique=True),
    Index(None, "workspace_id", "status", "updated_at"),
    sqlite_strict=True,
)

pins = Table(
    "pins",
    metadata,
    Column("id", Text, primary_key=True),
    Column("thread_id", Text, ForeignKey("threads.id"), nullable=False),
    Column("position", Integer, nullable=False),
    *(text(name) for name in ("text", "origin")),
    Column("proposal_id", Text, ForeignKey("pin_proposals.id")),
    Column("version", Integer, nullable=False),
    *(text(name) for name in ("created_by", "updated_by", "created_at", "updated_at")),
    CheckConstraint("origin IN ('operator', 'proposal', 'reply')", name="origin"),
    CheckConstraint("(origin = 'operator') = (proposal_id IS NULL)", name="proposal"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint(f"length(text) BETWEEN 1 AND 8192 AND {no_nul('text')}", name="text"),
    Index(None, "thread_id", "position", unique=True),
    sqlite_strict=True,
)

pin_proposals = Table(
    "pin_proposals",
    metadata,
    Column("id", Text, primary_key=True),
    Column("thread_id", Text, ForeignKey("threads.id"), nullable=False),
    Column("run_id", Text, ForeignKey("runs.id")),
    *(text(name) for name in ("text", "proposed_by", "created_at")),
    CheckConstraint(f"length(text) BETWEEN 1 AND 8192 AND {no_nul('text')}", name="text"),
    Index(None, "thread_id", "created_at"),
    sqlite_strict=True,
)

pin_answers = Table(
    "pin_answers",
    metadata,
    Column("proposal_id", Text, ForeignKey("pin_proposals.id"), primary_key=True),
    *(text(name) for name in ("choice", "reply")),
    Column("pin_id", Text),
    *(text(name) for name in ("answered_by", "created_at")),
    CheckConstraint("choice IN ('keep', 'only_now', 'custom')", name="choice"),
    CheckConstraint("(choice = 'custom') = (reply <> '')", name="reply"),
    CheckConstraint(f"length(reply) <= 8192 AND {no_nul('reply')}", name="text"),
    CheckConstraint("choice = 'custom' OR (choice = 'keep') = (pin_id IS NOT NULL)", name="pin"),
    sqlite_strict=True,
)
