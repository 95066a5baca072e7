"""Compactions: summaries with the operations that made them, and marks on the messages they stand for.

Never edited after release.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _compactions()
    _marks()
    for statement in TRIGGERS:
        op.execute(statement)


def _texts(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=nullable) for name in names]


def _numbers(*names: str, nullable: bool = False) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=nullable) for name in names]


def _check(name: str, rule: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(rule, name=op.f(f"ck_compactions_{name}"))


def _compactions() -> None:
    op.create_table(
        "compactions",
        *_numbers("seq"),
        *_texts("id", "operation_key"),
        *_texts("thread_id", nullable=True),
        *_numbers("session_seq", nullable=True),
        *_texts("state", "focus", "request", "source", "summariser", "model", "fallback", "summary"),
        *_numbers("folded", "kept", "unread", "shortened"),
        *_texts("verbatim", "reason", "created_by", "created_at", "finished_at"),
        sa.PrimaryKeyConstraint("seq", name="pk_compactions"),
        sa.ForeignKeyConstraint(["thread_id"], ["threads.id"], name="fk_compactions_thread_id"),
        sa.ForeignKeyConstraint(
            ["session_seq"], ["sessions.seq"], name="fk_compactions_session_seq", ondelete="CASCADE"
        ),
        sa.UniqueConstraint("id", name="uq_compactions_id"),
        sa.UniqueConstraint("operation_key", name="uq_compactions_operation_key"),
        _check("state", "state IN ('needs_check', 'done', 'failed')"),
        _check("subject", "(thread_id IS NULL) <> (session_seq IS NULL)"),
        _check("outcome", "(state = 'done') = (summary <> '')"),
        _check("finished", "(state = 'needs_check') = (finished_at = '')"),
        _check("summary", "length(CAST(summary AS BLOB)) BETWEEN 0 AND 16384 AND instr(summary, char(0)) = 0"),
        _check("operation_key", "length(CAST(operation_key AS BLOB)) BETWEEN 1 AND 128"),
        _check("counts", "folded >= 1 AND kept >= 0 AND unread BETWEEN 0 AND folded AND shortened >= 0"),
        sqlite_strict=True,
    )
    op.create_index("ix_compactions_thread_id_seq", "compactions", ["thread_id", "seq"])
    op.create_index("ix_compactions_session_seq_seq", "compactions", ["session_seq", "seq"])


def _marks() -> None:
    op.create_table(
        "compaction_marks",
        *_numbers("message_seq", "compaction_seq"),
        sa.PrimaryKeyConstraint("message_seq", name="pk_compaction_marks"),
        sa.ForeignKeyConstraint(
            ["message_seq"], ["messages.seq"], name="fk_compaction_marks_message_seq", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["compaction_seq"], ["compactions.seq"], name="fk_compaction_marks_compaction_seq", ondelete="CASCADE"
        ),
        sqlite_strict=True,
    )
    op.create_index("ix_compaction_marks_compaction_seq", "compaction_marks", ["compaction_seq"])


TRIGGERS = (
    (
        "CREATE TRIGGER compactions_end BEFORE UPDATE ON compactions WHEN OLD.state <> 'needs_check' "
        "OR NEW.state = 'needs_check' OR NEW.rowid <> OLD.rowid OR NEW.id <> OLD.id "
        "OR NEW.operation_key <> OLD.operation_key OR NEW.request <> OLD.request OR NEW.source <> OLD.source "
        "OR NEW.thread_id IS NOT OLD.thread_id OR NEW.session_seq IS NOT OLD.session_seq "
        "BEGIN SELECT RAISE(ABORT, 'a compaction ends once'); END"
    ),
    (
        "CREATE TRIGGER compactions_new BEFORE INSERT ON compactions WHEN NEW.state <> 'needs_check' "
        "OR EXISTS (SELECT 1 FROM compactions WHERE id = NEW.id OR operation_key = NEW.operation_key OR seq = NEW.seq) "
        "BEGIN SELECT RAISE(ABORT, 'a new compaction is open and replaces none'); END"
    ),
    (
        "CREATE TRIGGER compaction_marks_never_moved BEFORE UPDATE ON compaction_marks "
        "BEGIN SELECT RAISE(ABORT, 'compaction_marks takes no update'); END"
    ),
    (
        "CREATE TRIGGER compaction_marks_new BEFORE INSERT ON compaction_marks "
        "WHEN EXISTS (SELECT 1 FROM compaction_marks WHERE message_seq = NEW.message_seq) "
        "BEGIN SELECT RAISE(ABORT, 'a message is marked once'); END"
    ),
)
