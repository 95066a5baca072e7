"""Summaries of older messages, and which messages each of them stands for. The messages themselves stay."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
)

from waybook.store.tables.base import bytes_between, metadata, no_nul, number, one_of, text

COMPACTION_STATES = ("needs_check", "done", "failed")

compactions = Table(
    "compactions",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    *(text(name) for name in ("id", "operation_key")),
    Column("thread_id", Text, ForeignKey("threads.id")),
    Column("session_seq", Integer, ForeignKey("sessions.seq", ondelete="CASCADE")),
    *(text(name) for name in ("state", "focus", "request", "source", "summariser", "model", "fallback", "summary")),
    *(number(name) for name in ("folded", "kept", "unread", "shortened")),
    *(text(name) for name in ("verbatim", "reason", "created_by", "created_at", "finished_at")),
    UniqueConstraint("id"),
    UniqueConstraint("operation_key"),
    CheckConstraint(one_of("state", COMPACTION_STATES), name="state"),
    CheckConstraint("(thread_id IS NULL) <> (session_seq IS NULL)", name="subject"),
    CheckConstraint("(state = 'done') = (summary <> '')", name="outcome"),
    CheckConstraint("(state = 'needs_check') = (finished_at = '')", name="finished"),
    CheckConstraint(f"{bytes_between('summary', 0, 16384)} AND {no_nul('summary')}", name="summary"),
    CheckConstraint(bytes_between("operation_key", 1, 128), name="operation_key"),
    CheckConstraint("folded >= 1 AND kept >= 0 AND unread BETWEEN 0 AND folded AND shortened >= 0", name="counts"),
    Index(None, "thread_id", "seq"),
    Index(None, "session_seq", "seq"),
    sqlite_strict=True,
)

compaction_marks = Table(
    "compaction_marks",
    metadata,
    Column("message_seq", Integer, ForeignKey("messages.seq", ondelete="CASCADE"), primary_key=True, nullable=False),
    Column("compaction_seq", Integer, ForeignKey("compactions.seq", ondelete="CASCADE"), nullable=False),
    Index(None, "compaction_seq"),
    sqlite_strict=True,
)
