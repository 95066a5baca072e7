"""Nodes of continuity, and the pieces their snapshots share: messages, memory references, instructions.

A snapshot is columns, not a document: what has no column cannot be stored. `message_seqs` is a list of row numbers,
`12,13,14`: digits and commas only. (Triggers cannot look into JSON: older SQLite refuses its functions there.)
"""

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

from waybook.store.tables.base import bytes_between, metadata, no_nul, number, one_of, text

NODE_KINDS = ("root", "checkpoint", "fork", "resume")
TASK_MODES = ("", "research", "plan", "code", "review")
INSTRUCTION_BASES = ("none", "pinned", "live")
GIT_STATES = ("repository", "none", "unavailable")
PIECE_KINDS = ("prompt", "answer", "summary")


def _hex(column: str, *lengths: int) -> str:
    sizes = ", ".join(map(str, lengths))
    return f"(length({column}) IN ({sizes}) AND {column} NOT GLOB '*[^0-9a-f]*')"


continuity_messages = Table(
    "continuity_messages",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    *(text(name) for name in ("origin", "session_id", "key", "role", "kind", "text", "at")),
    UniqueConstraint("origin"),
    CheckConstraint(_hex("origin", 64), name="origin"),
    CheckConstraint("role IN ('user', 'assistant', 'system')", name="role"),
    CheckConstraint(one_of("kind", PIECE_KINDS), name="kind"),
    CheckConstraint(
        f"{no_nul('text')} AND length(CAST(text AS BLOB)) <= CASE kind WHEN 'summary' THEN 16384 ELSE 4096 END",
        name="text",
    ),
    sqlite_strict=True,
)

continuity_memory_sets = Table(
    "continuity_memory_sets",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    text("digest"),
    number("size"),
    UniqueConstraint("digest"),
    CheckConstraint(_hex("digest", 64), name="digest"),
    CheckConstraint("size BETWEEN 1 AND 200", name="size"),
    sqlite_strict=True,
)

continuity_memory_references = Table(
    "continuity_memory_references",
    metadata,
    Column("set_seq", Integer, ForeignKey("continuity_memory_sets.seq"), nullable=False),
    number("place"),
    *(text(name) for name in ("memory_id", "scope")),
    number("version"),
    text("sha256"),
    PrimaryKeyConstraint("set_seq", "place"),
    CheckConstraint("length(memory_id) BETWEEN 1 AND 64 AND memory_id NOT GLOB '*[^a-z0-9_-]*'", name="memory_id"),
    CheckConstraint("scope IN ('user', 'project')", name="scope"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint(_hex("sha256", 64), name="sha256"),
    sqlite_strict=True,
)

continuity_instructions = Table(
    "continuity_instructions",
    metadata,
    *(text(name) for name in ("fingerprint", "snapshot")),
    PrimaryKeyConstraint("fingerprint"),
    CheckConstraint(_hex("fingerprint", 64), name="fingerprint"),
    sqlite_strict=True,
)

continuity_nodes = Table(
    "continuity_nodes",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    *(text(name) for name in ("id", "tree", "kind")),
    Column("parent_id", Text, ForeignKey("continuity_nodes.id")),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    Column("run_id", Text, ForeignKey("runs.id")),
    *(text(name) for name in ("session_id", "title", "summary", "fingerprint")),
    Column("compaction_seq", Integer, ForeignKey("continuity_messages.seq")),
    text("message_seqs"),
    Column("memory_seq", Integer, ForeignKey("continuity_memory_sets.seq")),
    *(text(name) for name in ("config_fingerprint", "instruction_fingerprint", "instruction_basis")),
    *(text(name) for name in ("git_state", "git_branch", "git_head", "git_dirty", "git_worktree")),
    number("git_detached"),
    text("mode"),
    number("budget_tokens"),
    *(text(name) for name in ("created_by", "created_at")),
    UniqueConstraint("id"),
    CheckConstraint(one_of("kind", NODE_KINDS), name="kind"),
    CheckConstraint(f"{bytes_between('title', 1, 256)} AND {no_nul('title')}", name="title"),
    CheckConstraint(f"{bytes_between('summary', 0, 16384)} AND {no_nul('summary')}", name="summary"),
    CheckConstraint(_hex("fingerprint", 64), name="fingerprint"),
    CheckConstraint(
        "length(message_seqs) <= 400 AND message_seqs NOT GLOB '*[^0-9,]*' "
        "AND length(message_seqs) - length(replace(message_seqs, ',', '')) <= 19",
        name="message_seqs",
    ),
    CheckConstraint(_hex("config_fingerprint", 0, 64), name="config_fingerprint"),
    CheckConstraint(
        f"{_hex('instruction_fingerprint', 0, 64)} AND {one_of('instruction_basis', INSTRUCTION_BASES)} "
        "AND (instruction_basis = 'none') = (instruction_fingerprint = '')",
        name="instructions",
    ),
    CheckConstraint(
        f"{one_of('git_state', GIT_STATES)} AND {bytes_between('git_branch', 0, 1024)} "
        f"AND {bytes_between('git_worktree', 0, 1024)} AND {_hex('git_head', 0, 40, 64)} "
        f"AND {_hex('git_dirty', 0, 64)} AND git_detached IN (0, 1) AND (git_detached = 0 OR git_branch = '') "
        "AND (git_state = 'repository' OR git_branch || git_head || git_dirty || git_worktree = '')",
        name="git",
    ),
    CheckConstraint(one_of("mode", TASK_MODES), name="mode"),
    CheckConstraint("budget_tokens BETWEEN 0 AND 1000000000", name="budget_tokens"),
    CheckConstraint("kind = 'checkpoint' OR run_id IS NOT NULL", name="run"),
    Index(None, "tree", "seq"),
    Index(None, "session_id", "seq"),
    Index(None, "run_id"),
    Index(None, "parent_id"),
    sqlite_strict=True,
)
