"""Sessions of agents with their messages and tool receipts, and the transcript files they were read from.

Never edited after release.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

KINDS = "'prompt', 'answer', 'reasoning', 'call', 'result', 'summary', 'notice'"


def upgrade() -> None:
    _sessions()
    _messages()
    _receipts()
    _files()


def _texts(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=nullable) for name in names]


def _numbers(*names: str, nullable: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=nullable) for name in names]


def _check(table: str, name: str, rule: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(rule, name=op.f(f"ck_{table}_{name}"))


def _sessions() -> None:
    op.create_table(
        "sessions",
        *_numbers("seq"),
        *_texts("id", "agent", "native_id"),
        *_texts("run_id", nullable=True),
        *_texts("title"),
        *_numbers("title_rank"),
        *_texts("cwd", "branch", "version", "model", "path", "parent", "parent_call", "forked_from", "fork_point"),
        *_texts("started_at", "updated_at", "imported_at"),
        *_numbers("messages", "prompts", "calls", "inherited"),
        sa.PrimaryKeyConstraint("seq", name="pk_sessions"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_sessions_run_id"),
        sa.UniqueConstraint("id", name="uq_sessions_id"),
        sa.UniqueConstraint("agent", "native_id", name="uq_sessions_agent_native_id"),
        sqlite_strict=True,
    )
    op.create_index("ix_sessions_updated_at", "sessions", ["updated_at"])
    op.create_index("ix_sessions_agent_forked_from", "sessions", ["agent", "forked_from"])
    op.create_index("ix_sessions_agent_parent", "sessions", ["agent", "parent"])
    op.create_index("ix_sessions_run_id", "sessions", ["run_id"])


def _messages() -> None:
    op.create_table(
        "messages",
        *_numbers("seq", "session_seq"),
        *_texts("key", "parent", "role", "kind", "text", "call_id", "at"),
        *_numbers("side", "hidden", "inherited"),
        sa.PrimaryKeyConstraint("seq", name="pk_messages"),
        sa.ForeignKeyConstraint(["session_seq"], ["sessions.seq"], name="fk_messages_session_seq"),
        sa.UniqueConstraint("session_seq", "key", name="uq_messages_session_seq_key"),
        _check("messages", "role", "role IN ('user', 'assistant', 'system', 'tool')"),
        _check("messages", "kind", f"kind IN ({KINDS})"),
        _check("messages", "marks", "side IN (0, 1) AND hidden IN (0, 1) AND inherited IN (0, 1)"),
        sqlite_strict=True,
    )
    op.create_index("ix_messages_session_seq_seq", "messages", ["session_seq", "seq"])


def _receipts() -> None:
    op.create_table(
        "tool_receipts",
        *_numbers("session_seq"),
        *_texts("call_id", "message_key", "name", "arguments", "output", "state"),
        *_numbers("exit_code", nullable=True),
        *_texts("started_at", "finished_at"),
        sa.PrimaryKeyConstraint("session_seq", "call_id", name="pk_tool_receipts"),
        sa.ForeignKeyConstraint(["session_seq"], ["sessions.seq"], name="fk_tool_receipts_session_seq"),
        _check("tool_receipts", "state", "state IN ('unfinished', 'ok', 'failed', 'rejected')"),
        sqlite_strict=True,
    )


def _files() -> None:
    op.create_table(
        "transcript_files",
        *_texts("path", "agent"),
        *_numbers("device", "inode", "size", "mtime_ns", "position", "line"),
        *_texts("digest", "state", "unknown", "damage"),
        *_numbers("damaged"),
        *_texts("imported_at"),
        sa.PrimaryKeyConstraint("path", name="pk_transcript_files"),
        _check("transcript_files", "position", "position >= 0 AND line >= 0 AND damaged >= 0"),
        sqlite_strict=True,
    )
