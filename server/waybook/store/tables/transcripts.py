"""Sessions of agents: messages, tool receipts and the files they come from."""

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

MESSAGE_ROLES = ("user", "assistant", "system", "tool")
MESSAGE_KINDS = ("prompt", "answer", "reasoning", "call", "result", "summary", "notice")
RECEIPT_STATES = ("unfinished", "ok", "failed", "rejected")

sessions = Table(
    "sessions",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    *(text(name) for name in ("id", "agent", "native_id")),
    Column("run_id", Text, ForeignKey("runs.id")),
    text("title"),
    number("title_rank"),
    *(text(name) for name in ("cwd", "branch", "version", "model", "path")),
    *(text(name) for name in ("parent", "parent_call", "forked_from", "fork_point")),
    *(text(name) for name in ("started_at", "updated_at", "imported_at")),
    *(number(name) for name in ("messages", "prompts", "calls", "inherited")),
    UniqueConstraint("id"),
    UniqueConstraint("agent", "native_id"),
    Index(None, "updated_at"),
    Index(None, "agent", "forked_from"),
    Index(None, "agent", "parent"),
    Index(None, "run_id"),
    sqlite_strict=True,
)

messages = Table(
    "messages",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    Column("session_seq", Integer, ForeignKey("sessions.seq"), nullable=False),
    *(text(name) for name in ("key", "parent", "role", "kind", "text", "call_id", "at")),
    *(number(name) for name in ("side", "hidden", "inherited")),
    UniqueConstraint("session_seq", "key"),
    CheckConstraint(one_of("role", MESSAGE_ROLES), name="role"),
    CheckConstraint(one_of("kind", MESSAGE_KINDS), name="kind"),
    CheckConstraint("side IN (0, 1) AND hidden IN (0, 1) AND inherited IN (0, 1)", name="marks"),
    Index(None, "session_seq", "seq"),
    sqlite_strict=True,
)

tool_receipts = Table(
    "tool_receipts",
    metadata,
    Column("session_seq", Integer, ForeignKey("sessions.seq"), nullable=False),
    *(text(name) for name in ("call_id", "message_key", "name", "arguments", "output", "state")),
    Column("exit_code", Integer),
    *(text(name) for name in ("started_at", "finished_at")),
    PrimaryKeyConstraint("session_seq", "call_id"),
    CheckConstraint(one_of("state", RECEIPT_STATES), name="state"),
    sqlite_strict=True,
)

transcript_files = Table(
    "transcript_files",
    metadata,
    Column("path", Text, primary_key=True),
    text("agent"),
    *(number(name) for name in ("device", "inode", "size", "mtime_ns", "position", "line")),
    *(text(name) for name in ("digest", "state", "unknown", "damage")),
    number("damaged"),
    text("imported_at"),
    CheckConstraint("position >= 0 AND line >= 0 AND damaged >= 0", name="position"),
    sqlite_strict=True,
)
