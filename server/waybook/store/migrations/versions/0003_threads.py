"""Threads, completions, notes, memory candidates, pins and their proposals. Never edited after release.

The texts of candidates lie in a table that only grows at its end and is blanked in place, as those of memories do.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

COMPLETIONS = "'run_completed', 'thread_reply', 'delivery_checkpoint', 'delivery_report_passed'"
NOTES = "'decision', 'summary', 'finding', 'question', 'plan', 'other'"
MOVES = (
    "'created>running', 'created>cancelled', 'running>waiting_input', 'running>paused', 'running>completed', "
    "'running>failed', 'running>cancelled', 'waiting_input>running', 'waiting_input>paused', 'waiting_input>failed', "
    "'waiting_input>cancelled', 'paused>running', 'paused>failed', 'paused>cancelled'"
)
SHAPE = (
    "(status = 'pending' AND text_seq IS NOT NULL AND memory_id IS NULL AND reviewed_by IS NULL "
    "AND reviewed_at IS NULL) OR (status IN ('confirmed', 'rejected') AND text_seq IS NULL "
    "AND (memory_id IS NOT NULL) = (status = 'confirmed') AND reviewed_by IS NOT NULL AND reviewed_at IS NOT NULL)"
)
VERBATIM = "length(text) BETWEEN 1 AND 8192 AND instr(text, char(0)) = 0"


def upgrade() -> None:
    _threads()
    _completions()
    _notes()
    _candidates()
    _proposals()
    _pins()
    for statement in TRIGGERS:
        op.execute(statement)


def _texts(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=nullable) for name in names]


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def _key(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=f"fk_{table}_{column}")


def _check(table: str, name: str, rule: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(rule, name=op.f(f"ck_{table}_{name}"))


def _bytes(column: str, least: int, most: int) -> str:
    return f"length(CAST({column} AS BLOB)) BETWEEN {least} AND {most}"


def _threads() -> None:
    op.create_table(
        "threads",
        *_texts("id", "workspace_id", "title", "state"),
        _number("version"),
        *_texts("created_by", "updated_by", "created_at", "updated_at"),
        sa.PrimaryKeyConstraint("id", name="pk_threads"),
        _key("threads", "workspace_id", "workspaces.id"),
        _check("threads", "state", "state IN ('open', 'closed')"),
        _check("threads", "version", "version >= 1"),
        _check("threads", "title", _bytes("title", 1, 256)),
        sqlite_strict=True,
    )
    op.create_index("ix_threads_workspace_id_created_at", "threads", ["workspace_id", "created_at"])
    op.create_table(
        "thread_runs",
        *_texts("thread_id"),
        _number("sequence"),
        *_texts("run_id", "created_at"),
        sa.PrimaryKeyConstraint("thread_id", "sequence", name="pk_thread_runs"),
        sa.UniqueConstraint("run_id", name="uq_thread_runs_run_id"),
        _key("thread_runs", "thread_id", "threads.id"),
        _key("thread_runs", "run_id", "runs.id"),
        _check("thread_runs", "sequence", "sequence BETWEEN 1 AND 1024"),
        sqlite_strict=True,
    )


def _completions() -> None:
    op.create_table(
        "completions",
        *_texts("id", "workspace_id"),
        *_texts("thread_id", "run_id", nullable=True),
        *_texts("kind", "reference", "recorded_by", "created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_completions"),
        _key("completions", "workspace_id", "workspaces.id"),
        _key("completions", "thread_id", "threads.id"),
        _key("completions", "run_id", "runs.id"),
        _check("completions", "kind", f"kind IN ({COMPLETIONS})"),
        _check("completions", "subject", "run_id IS NOT NULL OR (thread_id IS NOT NULL AND kind <> 'run_completed')"),
        _check("completions", "reference", _bytes("reference", 0, 512)),
        sqlite_strict=True,
    )
    for column in ("run_id", "thread_id"):
        columns = [column, "kind", "created_at"]
        op.create_index(f"ix_completions_{'_'.join(columns)}", "completions", columns)


def _notes() -> None:
    op.create_table(
        "notes",
        *_texts("id", "workspace_id"),
        *_texts("thread_id", "run_id", nullable=True),
        *_texts("kind", "title", "content", "source_ref", "evidence", "visibility", "status", "fingerprint"),
        _number("redacted"),
        _number("version"),
        *_texts("author", "created_by", "updated_by", "created_at", "updated_at"),
        sa.PrimaryKeyConstraint("id", name="pk_notes"),
        _key("notes", "workspace_id", "workspaces.id"),
        _key("notes", "thread_id", "threads.id"),
        _key("notes", "run_id", "runs.id"),
        _check("notes", "kind", f"kind IN ({NOTES})"),
        _check("notes", "visibility", "visibility IN ('root', 'specialist')"),
        _check("notes", "status", "status IN ('active', 'archived')"),
        _check("notes", "author", "author IN ('operator', 'agent')"),
        _check("notes", "redacted", "redacted IN (0, 1)"),
        _check("notes", "version", "version >= 1"),
        _check("notes", "title", _bytes("title", 1, 256)),
        _check("notes", "content", _bytes("content", 1, 16384)),
        sqlite_strict=True,
    )
    op.create_index("ix_notes_workspace_id_status_updated_at", "notes", ["workspace_id", "status", "updated_at"])
    op.create_index("ix_notes_thread_id_updated_at", "notes", ["thread_id", "updated_at"])
    op.create_index("ix_notes_run_id", "notes", ["run_id"])


def _candidates() -> None:
    op.create_table(
        "candidate_texts",
        sa.Column("seq", sa.Integer, nullable=False),
        *_texts("title", "content", "refs"),
        sa.PrimaryKeyConstraint("seq", name="pk_candidate_texts"),
        _check("candidate_texts", "title", _bytes("title", 0, 256)),
        _check("candidate_texts", "content", _bytes("content", 0, 16384)),
        _check("candidate_texts", "whole", "(title = '') = (content = '') AND (title = '') = (refs = '')"),
        sqlite_strict=True,
    )
    op.create_table(
        "memory_candidates",
        *_texts("id", "workspace_id", "note_id"),
        _number("note_version"),
        *_texts("completion_id", "basis", "fingerprint", "status"),
        sa.Column("text_seq", sa.Integer),
        *_texts("memory_id", "reviewed_by", "reviewed_at", nullable=True),
        _number("version"),
        *_texts("created_at", "updated_at"),
        sa.PrimaryKeyConstraint("id", name="pk_memory_candidates"),
        _key("memory_candidates", "workspace_id", "workspaces.id"),
        _key("memory_candidates", "note_id", "notes.id"),
        _key("memory_candidates", "completion_id", "completions.id"),
        _key("memory_candidates", "text_seq", "candidate_texts.seq"),
        sa.UniqueConstraint("text_seq", name="uq_memory_candidates_text_seq"),
        _check("memory_candidates", "basis", f"basis IN ({COMPLETIONS})"),
        _check("memory_candidates", "fingerprint", "length(fingerprint) = 64"),
        _check("memory_candidates", "version", "version >= 1 AND note_version >= 1"),
        _check("memory_candidates", "tombstone", SHAPE),
        sqlite_strict=True,
    )
    table = "memory_candidates"
    op.create_index(f"ix_{table}_note_id_fingerprint", table, ["note_id", "fingerprint"], unique=True)
    op.create_index(f"ix_{table}_workspace_id_status_updated_at", table, ["workspace_id", "status", "updated_at"])


def _proposals() -> None:
    op.create_table(
        "pin_proposals",
        *_texts("id", "thread_id"),
        *_texts("run_id", nullable=True),
        *_texts("text", "proposed_by", "created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_pin_proposals"),
        _key("pin_proposals", "thread_id", "threads.id"),
        _key("pin_proposals", "run_id", "runs.id"),
        _check("pin_proposals", "text", VERBATIM),
        sqlite_strict=True,
    )
    op.create_index("ix_pin_proposals_thread_id_created_at", "pin_proposals", ["thread_id", "created_at"])
    op.create_table(
        "pin_answers",
        *_texts("proposal_id", "choice", "reply"),
        *_texts("pin_id", nullable=True),
        *_texts("answered_by", "created_at"),
        sa.PrimaryKeyConstraint("proposal_id", name="pk_pin_answers"),
        _key("pin_answers", "proposal_id", "pin_proposals.id"),
        _check("pin_answers", "choice", "choice IN ('keep', 'only_now', 'custom')"),
        _check("pin_answers", "reply", "(choice = 'custom') = (reply <> '')"),
        _check("pin_answers", "text", "length(reply) <= 8192 AND instr(reply, char(0)) = 0"),
        _check(
            "pin_answers",
            "pin",
            "choice = 'custom' OR (choice = 'keep') = (pin_id IS NOT NULL)",
        ),
        sqlite_strict=True,
    )


def _pins() -> None:
    op.create_table(
        "pins",
        *_texts("id", "thread_id"),
        _number("position"),
        *_texts("text", "origin"),
        *_texts("proposal_id", nullable=True),
        _number("version"),
        *_texts("created_by", "updated_by", "created_at", "updated_at"),
        sa.PrimaryKeyConstraint("id", name="pk_pins"),
        _key("pins", "thread_id", "threads.id"),
        _key("pins", "proposal_id", "pin_proposals.id"),
        _check("pins", "origin", "origin IN ('operator', 'proposal', 'reply')"),
        _check("pins", "proposal", "(origin = 'operator') = (proposal_id IS NULL)"),
        _check("pins", "version", "version >= 1"),
        _check("pins", "text", VERBATIM),
        sqlite_strict=True,
    )
    op.create_index("ix_pins_thread_id_position", "pins", ["thread_id", "position"], unique=True)


def _guard(name: str, when: str, rule: str, message: str) -> str:
    return f"CREATE TRIGGER {name} BEFORE {when} WHEN {rule} BEGIN SELECT RAISE(ABORT, '{message}'); END"


def _never(table: str, *actions: str) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} takes no {action}'); END"
        for action in actions
    ]


def _new(table: str, rule: str, message: str, key: str = "id = NEW.id") -> str:
    """What a new row must not be; also one that would replace another, since REPLACE fires no DELETE trigger."""
    replaces = f"EXISTS (SELECT 1 FROM {table} WHERE {key} OR rowid = NEW.rowid)"
    return _guard(f"{table}_new", f"INSERT ON {table}", f"{replaces} OR {rule}", message)


def _next(table: str, fixed: tuple[str, ...], rule: str, message: str) -> str:
    """A changed row has the next version and keeps its fixed columns."""
    moved = " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in ("rowid", "id", "created_at", *fixed))
    return _guard(
        f"{table}_next", f"UPDATE ON {table}", f"NEW.version <> OLD.version + 1 OR {moved} OR {rule}", message
    )


def _closed(thread: str) -> str:
    return f"NOT EXISTS (SELECT 1 FROM threads WHERE id = {thread} AND state = 'open')"


_ELSEWHERE = """
    (NEW.thread_id IS NOT NULL AND NEW.workspace_id <> (SELECT workspace_id FROM threads WHERE id = NEW.thread_id))
    OR (NEW.run_id IS NOT NULL AND NEW.workspace_id <> (SELECT workspace_id FROM runs WHERE id = NEW.run_id))
    OR (NEW.run_id IS NOT NULL AND NEW.thread_id IS NOT (SELECT thread_id FROM thread_runs WHERE run_id = NEW.run_id))
"""
_BLANK = "NOT EXISTS (SELECT 1 FROM candidate_texts WHERE seq = NEW.text_seq AND title <> '')"
_PROPOSAL = "SELECT 1 FROM pin_proposals AS p WHERE p.thread_id = NEW.thread_id"
_ROOM = "(SELECT COALESCE(SUM(length(text)), 0) FROM pins WHERE thread_id = NEW.thread_id AND id <> NEW.id)"

TRIGGERS = (
    _guard("runs_moves", "UPDATE OF state ON runs", f"OLD.state || '>' || NEW.state NOT IN ({MOVES})", "no such move"),
    *_never("threads", "DELETE"),
    _new("threads", "NEW.version <> 1 OR NEW.state <> 'open'", "a new thread is open"),
    _next("threads", ("workspace_id",), "OLD.state <> 'open'", "a thread changes one version at a time while open"),
    *_never("thread_runs", "UPDATE", "DELETE"),
    _new(
        "thread_runs",
        f"""NEW.sequence <> 1 + (SELECT COALESCE(MAX(sequence), 0) FROM thread_runs WHERE thread_id = NEW.thread_id)
        OR {_closed("NEW.thread_id")}
        OR (SELECT workspace_id FROM threads WHERE id = NEW.thread_id)
            IS NOT (SELECT workspace_id FROM runs WHERE id = NEW.run_id)""",
        "thread_runs takes the next run of an open thread only",
        key="run_id = NEW.run_id",
    ),
    *_never("completions", "UPDATE", "DELETE"),
    _new(
        "completions",
        f"""{_ELSEWHERE} OR (NEW.kind = 'run_completed' AND (
            NOT EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state = 'completed')
            OR EXISTS (SELECT 1 FROM completions WHERE run_id = NEW.run_id AND kind = 'run_completed')))""",
        "completions takes what has ended, once",
    ),
    *_never("notes", "DELETE"),
    _new("notes", f"NEW.version <> 1 OR NEW.status <> 'active' OR {_ELSEWHERE}", "a new note is active"),
    _next(
        "notes",
        ("workspace_id", "thread_id", "run_id", "kind", "author", "created_by"),
        "OLD.status <> 'active'",
        "a note changes one version at a time while active",
    ),
    _guard(
        "candidate_texts_next",
        "INSERT ON candidate_texts",
        "NEW.title = '' OR NEW.seq <> 1 + (SELECT COALESCE(MAX(seq), 0) FROM candidate_texts)",
        "candidate_texts grows at its end",
    ),
    _guard(
        "candidate_texts_blank_only",
        "UPDATE ON candidate_texts",
        "NEW.seq <> OLD.seq OR NEW.title <> '' OR EXISTS (SELECT 1 FROM memory_candidates WHERE text_seq = OLD.seq)",
        "a text is never changed; one that no candidate uses is blanked",
    ),
    *_never("candidate_texts", "DELETE"),
    *(
        f"CREATE TRIGGER memory_candidates_{name} AFTER {event} ON memory_candidates BEGIN "
        f"UPDATE candidate_texts SET title = '', content = '', refs = '' WHERE seq = OLD.text_seq{unless}; END"
        for name, event, unless in (
            ("changed", "UPDATE", " AND OLD.text_seq IS NOT NEW.text_seq"),
            ("dropped", "DELETE", ""),
        )
    ),
    _new(
        "memory_candidates",
        f"NEW.version <> 1 OR NEW.status <> 'pending' OR {_BLANK}",
        "a new candidate is pending, one for each note",
        key="id = NEW.id OR text_seq = NEW.text_seq OR (note_id = NEW.note_id AND (fingerprint = NEW.fingerprint OR status = 'pending'))",
    ),
    _next(
        "memory_candidates",
        ("workspace_id", "note_id"),
        f"""OLD.status <> 'pending'
        OR (NEW.status <> 'pending' AND (NEW.fingerprint <> OLD.fingerprint OR NEW.note_version <> OLD.note_version))
        OR EXISTS (SELECT 1 FROM memory_candidates
            WHERE id <> NEW.id AND (text_seq = NEW.text_seq
                OR (note_id = NEW.note_id AND fingerprint = NEW.fingerprint)))
        OR (NEW.status = 'pending' AND {_BLANK})""",
        "a candidate changes while pending only",
    ),
    _guard(
        "memory_candidates_gone", "DELETE ON memory_candidates", "OLD.status <> 'pending'", "what was reviewed stays"
    ),
    *_never("pin_proposals", "UPDATE", "DELETE"),
    _new(
        "pin_proposals",
        f"""{_closed("NEW.thread_id")}
        OR EXISTS ({_PROPOSAL} AND p.run_id IS NEW.run_id AND p.text = NEW.text)
        OR (NEW.run_id IS NOT NULL
            AND NEW.thread_id IS NOT (SELECT thread_id FROM thread_runs WHERE run_id = NEW.run_id))
        OR 32 <= (SELECT COUNT(*) FROM pin_proposals WHERE thread_id = NEW.thread_id
            AND NOT EXISTS (SELECT 1 FROM pin_answers WHERE proposal_id = pin_proposals.id))""",
        "pin_proposals takes a new text of an open thread, and 32 open ones",
    ),
    _new(
        "pins",
        f"""NEW.version <> 1 OR {_closed("NEW.thread_id")}
        OR 32 <= (SELECT COUNT(*) FROM pins WHERE thread_id = NEW.thread_id)
        OR {_ROOM} + length(NEW.text) > 32768
        OR (NEW.origin = 'proposal' AND NOT EXISTS ({_PROPOSAL} AND p.id = NEW.proposal_id AND p.text = NEW.text))
        OR (NEW.origin = 'reply' AND NOT EXISTS ({_PROPOSAL} AND p.id = NEW.proposal_id))""",
        "pins takes 32 texts and 32768 characters of an open thread",
        key="id = NEW.id OR (thread_id = NEW.thread_id AND position = NEW.position)",
    ),
    _next(
        "pins",
        ("thread_id", "position", "origin", "proposal_id", "created_by"),
        f"{_closed('NEW.thread_id')} OR {_ROOM} + length(NEW.text) > 32768",
        "a pin changes one version at a time, within 32768 characters of an open thread",
    ),
    *_never("pin_answers", "UPDATE", "DELETE"),
    _new(
        "pin_answers",
        f"""{_closed("(SELECT thread_id FROM pin_proposals WHERE id = NEW.proposal_id)")}
        OR (NEW.pin_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM pins JOIN pin_proposals AS p ON p.id = pins.proposal_id
            WHERE pins.id = NEW.pin_id AND p.id = NEW.proposal_id
                AND pins.text = CASE NEW.choice WHEN 'keep' THEN p.text ELSE NEW.reply END))""",
        "pin_answers takes one answer while the thread is open, and pins exactly its text",
        key="proposal_id = NEW.proposal_id",
    ),
)
