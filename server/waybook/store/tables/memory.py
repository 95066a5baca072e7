"""Long-term memory: records, their texts, and the number of the last change."""

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

from waybook.store.tables.base import bytes_between, metadata, no_nul, text

RESERVED_NAMES = (
    "agent",
    "assistant",
    "llm",
    "model",
    "repository",
    "repo",
    "tool",
    "supervisor",
    "run_supervisor",
    "automatic",
    "auto",
    "system",
)
MEMORY_SOURCES = ("operator_explicit", "operator_import_explicit", "operator_confirmed_candidate")


def _person(column: str) -> str:
    names = ", ".join(repr(name) for name in RESERVED_NAMES)
    return f"{bytes_between(column, 1, 256)} AND instr({column}, ' ') = 0 AND lower({column}) NOT IN ({names})"


memory_texts = Table(
    "memory_texts",
    metadata,
    Column("seq", Integer, nullable=False),
    *(text(name) for name in ("title", "content", "source_ref", "refs")),
    PrimaryKeyConstraint("seq"),
    CheckConstraint(f"{bytes_between('title', 0, 256)} AND {no_nul('title')}", name="title"),
    CheckConstraint(
        f"{bytes_between('content', 0, 16384)} AND {no_nul('content')} AND instr(content, char(13)) = 0", name="content"
    ),
    CheckConstraint(f"{bytes_between('source_ref', 0, 512)} AND {no_nul('source_ref')}", name="source_ref"),
    CheckConstraint("(title = '') = (content = '') AND (title <> '' OR source_ref || refs = '')", name="whole"),
    CheckConstraint(
        f"{bytes_between('refs', 0, 16415)} AND {no_nul('refs')} "
        "AND length(refs) - length(replace(refs, char(10), '')) <= 31",
        name="refs",
    ),
    sqlite_strict=True,
)

memory_changes = Table(
    "memory_changes",
    metadata,
    Column("id", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    PrimaryKeyConstraint("id"),
    CheckConstraint("id = 1", name="one"),
    sqlite_strict=True,
)

memories = Table(
    "memories",
    metadata,
    Column("id", Text, primary_key=True),
    *(text(name) for name in ("scope", "scope_id")),
    Column("text_seq", Integer, ForeignKey("memory_texts.seq"), nullable=False),
    *(text(name) for name in ("content_sha256", "status", "source_kind")),
    Column("retention_until", Text),
    Column("redacted", Integer, nullable=False),
    *(text(name) for name in ("created_by", "updated_by")),
    Column("version", Integer, nullable=False),
    *(text(name) for name in ("created_at", "updated_at")),
    Column("change", Integer, nullable=False),
    UniqueConstraint("text_seq"),
    CheckConstraint(
        "(scope = 'user' AND scope_id = 'local-user') OR (scope = 'project' AND scope_id <> '')", name="scope"
    ),
    CheckConstraint("length(content_sha256) = 64 AND content_sha256 NOT GLOB '*[^0-9a-f]*'", name="content_sha256"),
    CheckConstraint("status IN ('active', 'disabled')", name="status"),
    CheckConstraint(f"source_kind IN ({', '.join(repr(kind) for kind in MEMORY_SOURCES)})", name="source_kind"),
    CheckConstraint(
        "retention_until IS NULL OR (retention_until >= created_at AND retention_until <= "
        "(CAST(substr(updated_at, 1, 4) AS INTEGER) + 10) || substr(updated_at, 5))",
        name="retention",
    ),
    CheckConstraint("redacted IN (0, 1)", name="redacted"),
    CheckConstraint(_person("created_by"), name="created_by"),
    CheckConstraint(_person("updated_by"), name="updated_by"),
    CheckConstraint("version >= 1", name="version"),
    Index(None, "scope", "scope_id", "updated_at", "id"),
    Index(None, "change"),
    sqlite_strict=True,
)
