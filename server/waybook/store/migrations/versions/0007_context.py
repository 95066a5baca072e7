"""Traces, goal trees, audits of calls, and the contracts of recursive tasks. Never edited after release."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ROLES = "'system', 'user', 'assistant', 'tool'"
KINDS = "'plain', 'summary', 'context', 'skill', 'steering'"


def upgrade() -> None:
    _traces()
    _messages()
    _goals()
    _audits()
    _contracts()
    _references()
    for statement in TRIGGERS:
        op.execute(statement)


def _texts(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=nullable) for name in names]


def _numbers(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer, nullable=False) for name in names]


def _key(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=f"fk_{table}_{column}")


def _check(table: str, name: str, rule: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(rule, name=op.f(f"ck_{table}_{name}"))


def _traces() -> None:
    table = "context_traces"
    op.create_table(
        table,
        *_numbers("seq"),
        *_texts("id", "root_id"),
        *_texts("parent_id", "run_id", "thread_id", nullable=True),
        *_numbers("depth"),
        *_texts("capabilities", "skills"),
        *_numbers("head"),
        *_texts("created_by", "created_at", "updated_at"),
        sa.PrimaryKeyConstraint("seq", name="pk_context_traces"),
        _key(table, "parent_id", "context_traces.id"),
        _key(table, "run_id", "runs.id"),
        _key(table, "thread_id", "threads.id"),
        sa.UniqueConstraint("id", name="uq_context_traces_id"),
        _check(table, "depth", "depth BETWEEN 0 AND 32"),
        _check(table, "lineage", "(parent_id IS NULL) = (depth = 0) AND (parent_id IS NULL) = (root_id = id)"),
        _check(table, "head", "head >= 0"),
        sqlite_strict=True,
    )
    for column in ("parent_id", "run_id", "thread_id"):
        op.create_index(f"ix_context_traces_{column}", table, [column])


def _messages() -> None:
    table = "context_messages"
    op.create_table(
        table,
        *_numbers("trace_seq", "sequence", "parent_sequence"),
        *_texts("id", "role", "kind", "content", "calls", "call_id", "goal_id"),
        *_texts("branch_type", "branch_id", "reasoning", "display", "provenance", "created_at"),
        sa.PrimaryKeyConstraint("trace_seq", "sequence", name="pk_context_messages"),
        _key(table, "trace_seq", "context_traces.seq"),
        sa.UniqueConstraint("id", name="uq_context_messages_id"),
        _check(table, "role", f"role IN ({ROLES})"),
        _check(table, "kind", f"kind IN ({KINDS})"),
        _check(table, "branch_type", "branch_type IN ('', 'reflection', 'knowledge_eval', 'compression')"),
        _check(table, "branch", "(branch_type = '') = (branch_id = '')"),
        _check(table, "parent", "parent_sequence >= 0 AND parent_sequence < sequence"),
        sqlite_strict=True,
    )


def _goals() -> None:
    table = "goal_events"
    op.create_table(
        table,
        *_texts("owner"),
        *_numbers("number"),
        *_texts("action", "goal_id", "text"),
        *_numbers("sequence"),
        *_texts("recorded_by", "created_at"),
        sa.PrimaryKeyConstraint("owner", "number", name="pk_goal_events"),
        _check(table, "action", "action IN ('add', 'focus', 'done', 'abandon', 'rewind')"),
        _check(table, "goal", "(action = 'rewind') = (goal_id = '')"),
        _check(table, "text", "length(text) <= 8192"),
        _check(table, "sequence", "sequence >= 0"),
        sqlite_strict=True,
    )


def _audits() -> None:
    table = "context_audits"
    op.create_table(
        table,
        *_numbers("seq"),
        *_texts("id", "trace_id", "run_id", "thread_id"),
        *_numbers("call"),
        *_texts("model"),
        *_numbers("window", "total_tokens"),
        *_texts("request_sha256", "sections", "created_at"),
        sa.PrimaryKeyConstraint("seq", name="pk_context_audits"),
        sa.UniqueConstraint("id", name="uq_context_audits_id"),
        sa.UniqueConstraint("trace_id", "call", name="uq_context_audits_trace_id_call"),
        _check(table, "numbers", "call >= 1 AND window >= 1 AND total_tokens >= 0"),
        _check(table, "request_sha256", "length(request_sha256) = 64"),
        sqlite_strict=True,
    )
    for column in ("run_id", "thread_id"):
        op.create_index(f"ix_context_audits_{column}", table, [column])


def _contracts() -> None:
    op.create_table(
        "task_anchors",
        *_texts("trace_id", "body", "sha256", "created_by", "created_at"),
        sa.PrimaryKeyConstraint("trace_id", name="pk_task_anchors"),
        _key("task_anchors", "trace_id", "context_traces.id"),
        _check("task_anchors", "body", "length(body) BETWEEN 2 AND 4000"),
        _check("task_anchors", "sha256", "length(sha256) = 64"),
        sqlite_strict=True,
    )
    op.create_table(
        "task_briefs",
        *_texts("trace_id"),
        *_numbers("version"),
        *_texts("body", "sha256", "anchor_sha256", "created_by", "created_at"),
        sa.PrimaryKeyConstraint("trace_id", "version", name="pk_task_briefs"),
        _key("task_briefs", "trace_id", "context_traces.id"),
        _check("task_briefs", "body", "length(body) BETWEEN 2 AND 16000"),
        _check("task_briefs", "sha256", "length(sha256) = 64 AND length(anchor_sha256) = 64"),
        sqlite_strict=True,
    )
    op.create_table(
        "task_results",
        *_texts("trace_id"),
        *_numbers("number", "brief_version"),
        *_texts("verdict", "body", "next_brief_sha256", "created_by", "created_at"),
        sa.PrimaryKeyConstraint("trace_id", "number", name="pk_task_results"),
        _key("task_results", "trace_id", "context_traces.id"),
        _check("task_results", "next_brief_sha256", "length(next_brief_sha256) IN (0, 64)"),
        sqlite_strict=True,
    )


def _references() -> None:
    table = "task_references"
    op.create_table(
        table,
        *_texts("trace_id"),
        *_numbers("number"),
        *_texts("action", "ref_id", "version", "kind", "body"),
        *_numbers("at_sequence"),
        *_texts("created_at"),
        sa.PrimaryKeyConstraint("trace_id", "number", name="pk_task_references"),
        _key(table, "trace_id", "context_traces.id"),
        _check(table, "action", "action IN ('grant', 'clear', 'rewind')"),
        _check(table, "kind", "kind IN ('', 'task_brief', 'reviewed_task_result')"),
        _check(
            table,
            "grant",
            "(action = 'grant') = (kind <> '') AND (action = 'grant') = (ref_id <> '') "
            "AND (action = 'grant') = (length(version) = 64)",
        ),
        _check(table, "body", "length(body) <= 16000"),
        _check(table, "at_sequence", "at_sequence >= 0"),
        sqlite_strict=True,
    )


def _guard(name: str, event: str, condition: str, message: str) -> str:
    when = f"WHEN {condition} " if condition else ""
    return f"CREATE TRIGGER {name} BEFORE {event} {when}BEGIN SELECT RAISE(ABORT, '{message}'); END"


def _fixed(table: str) -> tuple[str, str]:
    return (
        _guard(f"{table}_never_changed", f"UPDATE ON {table}", "", f"{table} takes no update"),
        _guard(f"{table}_never_deleted", f"DELETE ON {table}", "", f"{table} takes no delete"),
    )


def _next(table: str, owner: str, number: str) -> str:
    newest = f"(SELECT COALESCE(MAX({number}), 0) FROM {table} WHERE {owner} = NEW.{owner})"
    return _guard(
        f"{table}_grows", f"INSERT ON {table}", f"NEW.{number} <> 1 + {newest}", f"{table} grows at its end only"
    )


_PARENT = "SELECT 1 FROM context_traces AS p WHERE p.id = NEW.parent_id"
_KEPT = (
    "rowid", "id", "root_id", "parent_id", "run_id", "thread_id", "depth", "capabilities", "created_by", "created_at",
)  # fmt: skip

TRIGGERS = (
    _guard("context_traces_never_deleted", "DELETE ON context_traces", "", "context_traces takes no delete"),
    _guard(
        "context_traces_new",
        "INSERT ON context_traces",
        f"EXISTS (SELECT 1 FROM context_traces WHERE id = NEW.id OR seq = NEW.seq) OR NEW.head <> 0 "
        f"OR (NEW.parent_id IS NOT NULL AND NOT EXISTS ({_PARENT} AND p.root_id = NEW.root_id "
        "AND p.depth + 1 = NEW.depth AND p.run_id IS NEW.run_id AND p.thread_id IS NEW.thread_id))",
        "a new trace is empty and lies right below its parent",
    ),
    _guard(
        "context_traces_moves",
        "UPDATE ON context_traces",
        " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in _KEPT)
        + " OR (NEW.head <> 0 AND NOT EXISTS (SELECT 1 FROM context_messages "
        "WHERE trace_seq = NEW.seq AND sequence = NEW.head AND branch_type = ''))",
        "of a trace only its head and skills change, and the head is a message of its main path",
    ),
    *_fixed("context_messages"),
    _next("context_messages", "trace_seq", "sequence"),
    _guard(
        "context_messages_parent",
        "INSERT ON context_messages",
        "EXISTS (SELECT 1 FROM context_messages WHERE id = NEW.id) OR (NEW.parent_sequence <> 0 AND NOT EXISTS "
        "(SELECT 1 FROM context_messages WHERE trace_seq = NEW.trace_seq AND sequence = NEW.parent_sequence))",
        "a message follows one that is there",
    ),
    *_fixed("goal_events"),
    _next("goal_events", "owner", "number"),
    *_fixed("context_audits"),
    _guard(
        "context_audits_new",
        "INSERT ON context_audits",
        "EXISTS (SELECT 1 FROM context_audits WHERE id = NEW.id OR seq = NEW.seq "
        "OR (trace_id = NEW.trace_id AND call = NEW.call))",
        "an audit replaces none",
    ),
    *_fixed("task_anchors"),
    _guard(
        "task_anchors_new",
        "INSERT ON task_anchors",
        "EXISTS (SELECT 1 FROM task_anchors WHERE trace_id = NEW.trace_id) OR NOT EXISTS "
        "(SELECT 1 FROM context_traces WHERE id = NEW.trace_id AND parent_id IS NULL AND head = 0)",
        "an anchor is set once, on a new root",
    ),
    *_fixed("task_briefs"),
    _next("task_briefs", "trace_id", "version"),
    _guard(
        "task_briefs_anchored",
        "INSERT ON task_briefs",
        "NOT EXISTS (SELECT 1 FROM context_traces AS t JOIN task_anchors AS a ON a.trace_id = t.root_id "
        "WHERE t.id = NEW.trace_id AND t.parent_id IS NOT NULL AND a.sha256 = NEW.anchor_sha256)",
        "a brief is that of a descendant, under the anchor of its root",
    ),
    *_fixed("task_references"),
    _next("task_references", "trace_id", "number"),
    *_fixed("task_results"),
    _next("task_results", "trace_id", "number"),
)
