"""The tables as the newest schema has them; `migrations/` makes them, and a test compares the two.

Times are RFC 3339 text in UTC (base/clock.py); JSON is text in canonical form. The ledger (`run_instruction_snapshots`)
and the baselines are append-only: triggers refuse UPDATE and DELETE, a gap in the revisions and a broken chain.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

RUN_STATES = ("created", "running", "waiting_input", "paused", "completed", "failed", "cancelled")

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


workspaces = Table(
    "workspaces",
    metadata,
    Column("id", Text, primary_key=True),
    _text("root_path"),
    _text("name"),
    _text("created_at"),
    UniqueConstraint("root_path"),
    UniqueConstraint("name"),
    sqlite_strict=True,
)

missions = Table(
    "missions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    _text("goal"),
    _text("created_by"),
    _text("created_at"),
    Index(None, "workspace_id"),
    sqlite_strict=True,
)

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("mission_id", Text, ForeignKey("missions.id"), nullable=False),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    _text("profile"),
    _text("target"),
    _text("state"),
    _text("created_by"),
    _text("created_at"),
    _text("updated_at"),
    CheckConstraint(f"state IN ({', '.join(repr(state) for state in RUN_STATES)})", name="state"),
    Index(None, "mission_id"),
    Index(None, "workspace_id", "created_at"),
    sqlite_strict=True,
)

run_instruction_snapshots = Table(
    "run_instruction_snapshots",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id"), nullable=False),
    Column("revision", Integer, nullable=False),
    _text("snapshot"),
    _text("fingerprint"),
    _text("previous_fingerprint"),
    _text("diff"),
    _text("confirmed_by"),
    _text("created_at"),
    PrimaryKeyConstraint("run_id", "revision"),
    CheckConstraint("revision >= 1", name="revision"),
    sqlite_strict=True,
)

workspace_baselines = Table(
    "workspace_baselines",
    metadata,
    Column("id", Text, primary_key=True),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    Column("revision", Integer, nullable=False),
    _text("tree_fingerprint"),
    Column("scope_count", Integer, nullable=False),
    _text("created_by"),
    _text("created_at"),
    UniqueConstraint("workspace_id", "revision"),
    CheckConstraint("revision >= 1", name="revision"),
    sqlite_strict=True,
)

baseline_snapshots = Table(
    "baseline_snapshots",
    metadata,
    Column("baseline_id", Text, ForeignKey("workspace_baselines.id"), nullable=False),
    _text("scope"),
    _text("fingerprint"),
    _text("snapshot"),
    PrimaryKeyConstraint("baseline_id", "scope"),
    sqlite_strict=True,
)


def _bytes(column: str, least: int, most: int) -> str:
    return f"length(CAST({column} AS BLOB)) BETWEEN {least} AND {most}"


def _no_nul(column: str) -> str:
    return f"instr({column}, char(0)) = 0"


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
    return f"{_bytes(column, 1, 256)} AND instr({column}, ' ') = 0 AND lower({column}) NOT IN ({names})"


memory_texts = Table(
    "memory_texts",
    metadata,
    Column("seq", Integer, nullable=False),
    *(_text(name) for name in ("title", "content", "source_ref", "refs")),
    PrimaryKeyConstraint("seq"),
    CheckConstraint(f"{_bytes('title', 0, 256)} AND {_no_nul('title')}", name="title"),
    CheckConstraint(
        f"{_bytes('content', 0, 16384)} AND {_no_nul('content')} AND instr(content, char(13)) = 0", name="content"
    ),
    CheckConstraint(f"{_bytes('source_ref', 0, 512)} AND {_no_nul('source_ref')}", name="source_ref"),
    CheckConstraint("(title = '') = (content = '') AND (title <> '' OR source_ref || refs = '')", name="whole"),
    CheckConstraint(
        f"{_bytes('refs', 0, 16415)} AND {_no_nul('refs')} "
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
    *(_text(name) for name in ("scope", "scope_id")),
    Column("text_seq", Integer, ForeignKey("memory_texts.seq"), nullable=False),
    *(_text(name) for name in ("content_sha256", "status", "source_kind")),
    Column("retention_until", Text),
    Column("redacted", Integer, nullable=False),
    *(_text(name) for name in ("created_by", "updated_by")),
    Column("version", Integer, nullable=False),
    *(_text(name) for name in ("created_at", "updated_at")),
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


COMPLETION_KINDS = ("run_completed", "thread_reply", "delivery_checkpoint", "delivery_report_passed")
NOTE_KINDS = ("decision", "summary", "finding", "question", "plan", "other")


def _one_of(column: str, values: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join(repr(value) for value in values)})"


threads = Table(
    "threads",
    metadata,
    Column("id", Text, primary_key=True),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    *(_text(name) for name in ("title", "state")),
    Column("version", Integer, nullable=False),
    *(_text(name) for name in ("created_by", "updated_by", "created_at", "updated_at")),
    CheckConstraint("state IN ('open', 'closed')", name="state"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint(_bytes("title", 1, 256), name="title"),
    Index(None, "workspace_id", "created_at"),
    sqlite_strict=True,
)

thread_runs = Table(
    "thread_runs",
    metadata,
    Column("thread_id", Text, ForeignKey("threads.id"), nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("run_id", Text, ForeignKey("runs.id"), nullable=False),
    _text("created_at"),
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
    *(_text(name) for name in ("kind", "reference", "recorded_by", "created_at")),
    CheckConstraint(_one_of("kind", COMPLETION_KINDS), name="kind"),
    CheckConstraint("run_id IS NOT NULL OR (thread_id IS NOT NULL AND kind <> 'run_completed')", name="subject"),
    CheckConstraint(_bytes("reference", 0, 512), name="reference"),
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
        _text(name)
        for name in ("kind", "title", "content", "source_ref", "evidence", "visibility", "status", "fingerprint")
    ),
    Column("redacted", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    *(_text(name) for name in ("author", "created_by", "updated_by", "created_at", "updated_at")),
    CheckConstraint(_one_of("kind", NOTE_KINDS), name="kind"),
    CheckConstraint("visibility IN ('root', 'specialist')", name="visibility"),
    CheckConstraint("status IN ('active', 'archived')", name="status"),
    CheckConstraint("author IN ('operator', 'agent')", name="author"),
    CheckConstraint("redacted IN (0, 1)", name="redacted"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint(_bytes("title", 1, 256), name="title"),
    CheckConstraint(_bytes("content", 1, 16384), name="content"),
    Index(None, "workspace_id", "status", "updated_at"),
    Index(None, "thread_id", "updated_at"),
    Index(None, "run_id"),
    sqlite_strict=True,
)

candidate_texts = Table(
    "candidate_texts",
    metadata,
    Column("seq", Integer, nullable=False),
    *(_text(name) for name in ("title", "content", "refs")),
    PrimaryKeyConstraint("seq"),
    CheckConstraint(_bytes("title", 0, 256), name="title"),
    CheckConstraint(_bytes("content", 0, 16384), name="content"),
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
    *(_text(name) for name in ("basis", "fingerprint", "status")),
    Column("text_seq", Integer, ForeignKey("candidate_texts.seq")),
    *(Column(name, Text) for name in ("memory_id", "reviewed_by", "reviewed_at")),
    Column("version", Integer, nullable=False),
    *(_text(name) for name in ("created_at", "updated_at")),
    UniqueConstraint("text_seq"),
    CheckConstraint(_one_of("basis", COMPLETION_KINDS), name="basis"),
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
    *(_text(name) for name in ("text", "origin")),
    Column("proposal_id", Text, ForeignKey("pin_proposals.id")),
    Column("version", Integer, nullable=False),
    *(_text(name) for name in ("created_by", "updated_by", "created_at", "updated_at")),
    CheckConstraint("origin IN ('operator', 'proposal', 'reply')", name="origin"),
    CheckConstraint("(origin = 'operator') = (proposal_id IS NULL)", name="proposal"),
    CheckConstraint("version >= 1", name="version"),
    CheckConstraint(f"length(text) BETWEEN 1 AND 8192 AND {_no_nul('text')}", name="text"),
    Index(None, "thread_id", "position", unique=True),
    sqlite_strict=True,
)

pin_proposals = Table(
    "pin_proposals",
    metadata,
    Column("id", Text, primary_key=True),
    Column("thread_id", Text, ForeignKey("threads.id"), nullable=False),
    Column("run_id", Text, ForeignKey("runs.id")),
    *(_text(name) for name in ("text", "proposed_by", "created_at")),
    CheckConstraint(f"length(text) BETWEEN 1 AND 8192 AND {_no_nul('text')}", name="text"),
    Index(None, "thread_id", "created_at"),
    sqlite_strict=True,
)

pin_answers = Table(
    "pin_answers",
    metadata,
    Column("proposal_id", Text, ForeignKey("pin_proposals.id"), primary_key=True),
    *(_text(name) for name in ("choice", "reply")),
    Column("pin_id", Text),
    *(_text(name) for name in ("answered_by", "created_at")),
    CheckConstraint("choice IN ('keep', 'only_now', 'custom')", name="choice"),
    CheckConstraint("(choice = 'custom') = (reply <> '')", name="reply"),
    CheckConstraint(f"length(reply) <= 8192 AND {_no_nul('reply')}", name="text"),
    CheckConstraint("choice = 'custom' OR (choice = 'keep') = (pin_id IS NOT NULL)", name="pin"),
    sqlite_strict=True,
)


MESSAGE_ROLES = ("user", "assistant", "system", "tool")
MESSAGE_KINDS = ("prompt", "answer", "reasoning", "call", "result", "summary", "notice")
RECEIPT_STATES = ("unfinished", "ok", "failed", "rejected")


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False)


sessions = Table(
    "sessions",
    metadata,
    Column("seq", Integer, primary_key=True, nullable=False),
    *(_text(name) for name in ("id", "agent", "native_id")),
    Column("run_id", Text, ForeignKey("runs.id")),
    _text("title"),
    _number("title_rank"),
    *(_text(name) for name in ("cwd", "branch", "version", "model", "path")),
    *(_text(name) for name in ("parent", "parent_call", "forked_from", "fork_point")),
    *(_text(name) for name in ("started_at", "updated_at", "imported_at")),
    *(_number(name) for name in ("messages", "prompts", "calls", "inherited")),
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
    *(_text(name) for name in ("key", "parent", "role", "kind", "text", "call_id", "at")),
    *(_number(name) for name in ("side", "hidden", "inherited")),
    UniqueConstraint("session_seq", "key"),
    CheckConstraint(_one_of("role", MESSAGE_ROLES), name="role"),
    CheckConstraint(_one_of("kind", MESSAGE_KINDS), name="kind"),
    CheckConstraint("side IN (0, 1) AND hidden IN (0, 1) AND inherited IN (0, 1)", name="marks"),
    Index(None, "session_seq", "seq"),
    sqlite_strict=True,
)

tool_receipts = Table(
    "tool_receipts",
    metadata,
    Column("session_seq", Integer, ForeignKey("sessions.seq"), nullable=False),
    *(_text(name) for name in ("call_id", "message_key", "name", "arguments", "output", "state")),
    Column("exit_code", Integer),
    *(_text(name) for name in ("started_at", "finished_at")),
    PrimaryKeyConstraint("session_seq", "call_id"),
    CheckConstraint(_one_of("state", RECEIPT_STATES), name="state"),
    sqlite_strict=True,
)

transcript_files = Table(
    "transcript_files",
    metadata,
    Column("path", Text, primary_key=True),
    _text("agent"),
    *(_number(name) for name in ("device", "inode", "size", "mtime_ns", "position", "line")),
    *(_text(name) for name in ("digest", "state", "unknown", "damage")),
    _number("damaged"),
    _text("imported_at"),
    CheckConstraint("position >= 0 AND line >= 0 AND damaged >= 0", name="position"),
    sqlite_strict=True,
)
