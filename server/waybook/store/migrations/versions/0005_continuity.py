"""Continuity: nodes whose snapshots are columns, and the pieces they share. Never edited after release.

Nothing here is changed or deleted once written. No column and no list can hold an approval, a grant, a credential, a
lease, an authorisation, a process or a profile. Triggers use no JSON: older SQLite refuses its functions there.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

GIT = """git_state IN ('repository', 'none', 'unavailable') AND length(CAST(git_branch AS BLOB)) BETWEEN 0 AND 1024
AND length(CAST(git_worktree AS BLOB)) BETWEEN 0 AND 1024
AND (length(git_head) IN (0, 40, 64) AND git_head NOT GLOB '*[^0-9a-f]*')
AND (length(git_dirty) IN (0, 64) AND git_dirty NOT GLOB '*[^0-9a-f]*')
AND git_detached IN (0, 1) AND (git_detached = 0 OR git_branch = '')
AND (git_state = 'repository' OR git_branch || git_head || git_dirty || git_worktree = '')""".replace("\n", " ")


def upgrade() -> None:
    _messages()
    _shared()
    _nodes()
    for statement in TRIGGERS:
        op.execute(statement)


def _texts(*names: str, nullable: bool = False) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=nullable) for name in names]


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=nullable)


def _check(table: str, name: str, rule: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(rule, name=op.f(f"ck_{table}_{name}"))


def _hex(column: str, *lengths: int) -> str:
    sizes = ", ".join(map(str, lengths))
    return f"(length({column}) IN ({sizes}) AND {column} NOT GLOB '*[^0-9a-f]*')"


def _messages() -> None:
    table = "continuity_messages"
    limit = "CASE kind WHEN 'summary' THEN 16384 ELSE 4096 END"
    op.create_table(
        table,
        _number("seq"),
        *_texts("origin", "session_id", "key", "role", "kind", "text", "at"),
        sa.PrimaryKeyConstraint("seq", name=f"pk_{table}"),
        sa.UniqueConstraint("origin", name=f"uq_{table}_origin"),
        _check(table, "origin", _hex("origin", 64)),
        _check(table, "role", "role IN ('user', 'assistant', 'system')"),
        _check(table, "kind", "kind IN ('prompt', 'answer', 'summary')"),
        _check(table, "text", f"instr(text, char(0)) = 0 AND length(CAST(text AS BLOB)) <= {limit}"),
        sqlite_strict=True,
    )


def _shared() -> None:
    table = "continuity_memory_sets"
    op.create_table(
        table,
        _number("seq"),
        *_texts("digest"),
        _number("size"),
        sa.PrimaryKeyConstraint("seq", name=f"pk_{table}"),
        sa.UniqueConstraint("digest", name=f"uq_{table}_digest"),
        _check(table, "digest", _hex("digest", 64)),
        _check(table, "size", "size BETWEEN 1 AND 200"),
        sqlite_strict=True,
    )
    table = "continuity_memory_references"
    op.create_table(
        table,
        _number("set_seq"),
        _number("place"),
        *_texts("memory_id", "scope"),
        _number("version"),
        *_texts("sha256"),
        sa.PrimaryKeyConstraint("set_seq", "place", name=f"pk_{table}"),
        sa.ForeignKeyConstraint(["set_seq"], ["continuity_memory_sets.seq"], name=f"fk_{table}_set_seq"),
        _check(table, "memory_id", "length(memory_id) BETWEEN 1 AND 64 AND memory_id NOT GLOB '*[^a-z0-9_-]*'"),
        _check(table, "scope", "scope IN ('user', 'project')"),
        _check(table, "version", "version >= 1"),
        _check(table, "sha256", _hex("sha256", 64)),
        sqlite_strict=True,
    )
    table = "continuity_instructions"
    op.create_table(
        table,
        *_texts("fingerprint", "snapshot"),
        sa.PrimaryKeyConstraint("fingerprint", name=f"pk_{table}"),
        _check(table, "fingerprint", _hex("fingerprint", 64)),
        sqlite_strict=True,
    )


def _nodes() -> None:
    table = "continuity_nodes"
    keys = (
        ("parent_id", "continuity_nodes.id"),
        ("workspace_id", "workspaces.id"),
        ("run_id", "runs.id"),
        ("compaction_seq", "continuity_messages.seq"),
        ("memory_seq", "continuity_memory_sets.seq"),
    )
    op.create_table(
        table,
        _number("seq"),
        *_texts("id", "tree", "kind"),
        *_texts("parent_id", nullable=True),
        *_texts("workspace_id"),
        *_texts("run_id", nullable=True),
        *_texts("session_id", "title", "summary", "fingerprint"),
        _number("compaction_seq", nullable=True),
        *_texts("message_seqs"),
        _number("memory_seq", nullable=True),
        *_texts("config_fingerprint", "instruction_fingerprint", "instruction_basis"),
        *_texts("git_state", "git_branch", "git_head", "git_dirty", "git_worktree"),
        _number("git_detached"),
        *_texts("mode"),
        _number("budget_tokens"),
        *_texts("created_by", "created_at"),
        sa.PrimaryKeyConstraint("seq", name=f"pk_{table}"),
        sa.UniqueConstraint("id", name=f"uq_{table}_id"),
        *(sa.ForeignKeyConstraint([name], [target], name=f"fk_{table}_{name}") for name, target in keys),
        *_node_checks(table),
        sqlite_strict=True,
    )
    op.create_index(f"ix_{table}_tree_seq", table, ["tree", "seq"])
    op.create_index(f"ix_{table}_session_id_seq", table, ["session_id", "seq"])
    op.create_index(f"ix_{table}_run_id", table, ["run_id"])
    op.create_index(f"ix_{table}_parent_id", table, ["parent_id"])


def _node_checks(table: str) -> list[sa.CheckConstraint]:
    rules = {
        "kind": "kind IN ('root', 'checkpoint', 'fork', 'resume')",
        "title": "length(CAST(title AS BLOB)) BETWEEN 1 AND 256 AND instr(title, char(0)) = 0",
        "summary": "length(CAST(summary AS BLOB)) BETWEEN 0 AND 16384 AND instr(summary, char(0)) = 0",
        "fingerprint": _hex("fingerprint", 64),
        "message_seqs": "length(message_seqs) <= 400 AND message_seqs NOT GLOB '*[^0-9,]*' "
        "AND length(message_seqs) - length(replace(message_seqs, ',', '')) <= 19",
        "config_fingerprint": _hex("config_fingerprint", 0, 64),
        "instructions": f"{_hex('instruction_fingerprint', 0, 64)} AND instruction_basis IN ('none', 'pinned', 'live') "
        "AND (instruction_basis = 'none') = (instruction_fingerprint = '')",
        "git": GIT,
        "mode": "mode IN ('', 'research', 'plan', 'code', 'review')",
        "budget_tokens": "budget_tokens BETWEEN 0 AND 1000000000",
        "run": "kind = 'checkpoint' OR run_id IS NOT NULL",
    }
    return [_check(table, name, rule) for name, rule in rules.items()]


def _never(table: str) -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} takes no {action}'); END"
        for action in ("UPDATE", "DELETE")
    ]


def _new(table: str, same: str, rule: str, message: str) -> str:
    """What a new row must not be; also one that would replace another, since REPLACE fires no DELETE trigger."""
    return (
        f"CREATE TRIGGER {table}_new BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same} OR rowid = NEW.rowid) OR {rule} "
        f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )


# Of a memory that is in use as the reference is written, one after the other, until the set is whole.
_REFERENCE = """
    NEW.place <> 1 + (SELECT COUNT(*) FROM continuity_memory_references WHERE set_seq = NEW.set_seq)
    OR NEW.place > COALESCE((SELECT size FROM continuity_memory_sets WHERE seq = NEW.set_seq), 0)
    OR NOT EXISTS (SELECT 1 FROM memories AS k WHERE k.id = NEW.memory_id AND k.scope = NEW.scope
        AND k.version = NEW.version AND k.content_sha256 = NEW.sha256 AND k.status = 'active')
"""
_PARENT = "(SELECT {0} FROM continuity_nodes WHERE id = NEW.parent_id)"
_PINNED = (
    "fingerprint", "compaction_seq", "message_seqs", "memory_seq", "config_fingerprint", "instruction_fingerprint",
    "instruction_basis", "git_state", "git_branch", "git_head", "git_dirty", "git_worktree", "git_detached", "mode",
    "budget_tokens",
)  # fmt: skip
_OTHER = " OR ".join(f"p.{name} IS NOT NEW.{name}" for name in _PINNED)
_NODE = f"""
    (NEW.memory_seq IS NOT NULL AND (SELECT size FROM continuity_memory_sets WHERE seq = NEW.memory_seq) IS NOT
        (SELECT COUNT(*) FROM continuity_memory_references WHERE set_seq = NEW.memory_seq))
    OR (NEW.compaction_seq IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM continuity_messages WHERE seq = NEW.compaction_seq AND kind = 'summary'))
    OR (NEW.run_id IS NOT NULL AND (SELECT workspace_id FROM runs WHERE id = NEW.run_id) IS NOT NEW.workspace_id)
    OR (NEW.parent_id IS NOT NULL AND (
        {_PARENT.format("seq")} IS NULL OR {_PARENT.format("tree")} IS NOT NEW.tree))
    OR (NEW.parent_id IS NULL AND NEW.tree <> NEW.session_id)
    OR (NEW.kind = 'root' AND NEW.parent_id IS NOT NULL)
    OR (NEW.kind = 'checkpoint' AND (
        (NEW.run_id IS NOT NULL AND NEW.parent_id IS NULL)
        OR (NEW.parent_id IS NOT NULL AND {_PARENT.format("session_id")} IS NOT NEW.session_id)))
    OR (NEW.kind <> 'checkpoint' AND EXISTS (
        SELECT 1 FROM continuity_nodes WHERE run_id = NEW.run_id AND kind <> 'checkpoint'))
    OR (NEW.kind IN ('fork', 'resume') AND (
        NEW.parent_id IS NULL OR EXISTS (SELECT 1 FROM continuity_nodes AS p WHERE p.id = NEW.parent_id AND ({_OTHER}))
        OR EXISTS (SELECT 1 FROM continuity_nodes WHERE session_id = NEW.session_id)
        OR NOT EXISTS (SELECT 1 FROM runs WHERE id = NEW.run_id AND state = 'created' AND profile = 'default')
        OR NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id AND run_id = NEW.run_id)
        OR (NEW.instruction_fingerprint <> '') <> EXISTS (SELECT 1 FROM run_instruction_snapshots
            WHERE run_id = NEW.run_id)
        OR EXISTS (SELECT 1 FROM run_instruction_snapshots
            WHERE run_id = NEW.run_id AND (revision <> 1 OR fingerprint <> NEW.instruction_fingerprint))))
"""

TRIGGERS = (
    *_never("continuity_messages"),
    *_never("continuity_memory_sets"),
    *_never("continuity_memory_references"),
    *_never("continuity_instructions"),
    *_never("continuity_nodes"),
    _new("continuity_messages", "origin = NEW.origin", "0", "continuity_messages takes a new message once"),
    _new("continuity_memory_sets", "digest = NEW.digest", "0", "continuity_memory_sets takes a new set once"),
    _new(
        "continuity_memory_references",
        "(set_seq = NEW.set_seq AND place = NEW.place)",
        _REFERENCE,
        "continuity_memory_references takes those of memories in use, in order",
    ),
    _new("continuity_instructions", "fingerprint = NEW.fingerprint", "0", "continuity_instructions takes them once"),
    _new("continuity_nodes", "id = NEW.id", _NODE, "continuity_nodes takes a whole node at its place only"),
)
