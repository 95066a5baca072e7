"""Long-term memory: records, their texts, and the number of the last change. Never edited after release.

Texts lie in a table of their own that only grows at its end: a text is blanked where it stands, and no row is removed or
made longer. So SQLite never moves a text from page to page, and no page keeps a copy that secure_delete cannot know of
(measured with SQLite 3.40 and 3.53: rebalanced pages keep stale bytes in their unused middle).
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

RESERVED = (
    "'agent', 'assistant', 'llm', 'model', 'repository', 'repo', 'tool', "
    "'supervisor', 'run_supervisor', 'automatic', 'auto', 'system'"
)
SOURCES = "'operator_explicit', 'operator_import_explicit', 'operator_confirmed_candidate'"


def upgrade() -> None:
    _memory_texts()
    _memories()
    for statement in (*TRIGGERS, "INSERT INTO memory_changes VALUES (1, 0)"):
        op.execute(statement)


def _memory_texts() -> None:
    op.create_table(
        "memory_texts",
        sa.Column("seq", sa.Integer, nullable=False),
        *_texts("title", "content", "source_ref", "refs"),
        sa.PrimaryKeyConstraint("seq", name="pk_memory_texts"),
        *(
            _check("memory_texts", name, rule)
            for name, rule in {
                "title": f"{_bytes('title', 0, 256)} AND {_no_nul('title')}",
                "content": f"{_bytes('content', 0, 16384)} AND {_no_nul('content')} AND instr(content, char(13)) = 0",
                "source_ref": f"{_bytes('source_ref', 0, 512)} AND {_no_nul('source_ref')}",
                "whole": "(title = '') = (content = '') AND (title <> '' OR source_ref || refs = '')",
                # 32 lines of 512 bytes; JSON functions may not stand in a CHECK before SQLite 3.41
                "refs": f"{_bytes('refs', 0, 16415)} AND {_no_nul('refs')} "
                "AND length(refs) - length(replace(refs, char(10), '')) <= 31",
            }.items()
        ),
        sqlite_strict=True,
    )
    op.create_table(
        "memory_changes",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_memory_changes"),
        _check("memory_changes", "one", "id = 1"),
        sqlite_strict=True,
    )


def _memories() -> None:
    op.create_table(
        "memories",
        *_texts("id", "scope", "scope_id"),
        sa.Column("text_seq", sa.Integer, nullable=False),
        *_texts("content_sha256", "status", "source_kind"),
        sa.Column("retention_until", sa.Text),
        sa.Column("redacted", sa.Integer, nullable=False),
        *_texts("created_by", "updated_by"),
        sa.Column("version", sa.Integer, nullable=False),
        *_texts("created_at", "updated_at"),
        sa.Column("change", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_memories"),
        sa.ForeignKeyConstraint(["text_seq"], ["memory_texts.seq"], name="fk_memories_text_seq"),
        sa.UniqueConstraint("text_seq", name="uq_memories_text_seq"),
        *(
            _check("memories", name, rule)
            for name, rule in {
                "scope": "(scope = 'user' AND scope_id = 'local-user') OR (scope = 'project' AND scope_id <> '')",
                "content_sha256": "length(content_sha256) = 64 AND content_sha256 NOT GLOB '*[^0-9a-f]*'",
                "status": "status IN ('active', 'disabled')",
                "source_kind": f"source_kind IN ({SOURCES})",
                "retention": "retention_until IS NULL OR (retention_until >= created_at AND retention_until <= "
                "(CAST(substr(updated_at, 1, 4) AS INTEGER) + 10) || substr(updated_at, 5))",
                "redacted": "redacted IN (0, 1)",
                "created_by": _person("created_by"),
                "updated_by": _person("updated_by"),
                "version": "version >= 1",
            }.items()
        ),
        sqlite_strict=True,
    )
    op.create_index("ix_memories_scope_scope_id_updated_at_id", "memories", ["scope", "scope_id", "updated_at", "id"])
    op.create_index("ix_memories_change", "memories", ["change"])


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _check(table: str, name: str, rule: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(rule, name=op.f(f"ck_{table}_{name}"))


def _bytes(column: str, least: int, most: int) -> str:
    return f"length(CAST({column} AS BLOB)) BETWEEN {least} AND {most}"


def _no_nul(column: str) -> str:
    return f"instr({column}, char(0)) = 0"


def _person(column: str) -> str:
    """An operator's name: 1 to 256 bytes without spaces, and none that stands for a program."""
    return f"{_bytes(column, 1, 256)} AND instr({column}, ' ') = 0 AND lower({column}) NOT IN ({RESERVED})"


def _guard(name: str, when: str, rule: str, message: str) -> str:
    condition = f"WHEN {rule}" if rule else ""
    return f"CREATE TRIGGER {name} BEFORE {when} {condition} BEGIN SELECT RAISE(ABORT, '{message}'); END"


FIXED = ("rowid", "id", "scope", "scope_id", "source_kind", "created_by", "created_at")
BLANK = "title = '', content = '', source_ref = '', refs = ''"
NEXT_CHANGE = "(SELECT number FROM memory_changes WHERE id = 1)"

# REPLACE deletes rows without firing DELETE triggers, so the INSERT triggers refuse what would replace another row.
TRIGGERS = (
    _guard(
        "memory_texts_next",
        "INSERT ON memory_texts",
        "NEW.title = '' OR NEW.seq <> 1 + (SELECT COALESCE(MAX(seq), 0) FROM memory_texts)",
        "memory_texts grows at its end",
    ),
    _guard(
        "memory_texts_blank_only",
        "UPDATE ON memory_texts",
        "NEW.seq <> OLD.seq OR NEW.title <> '' OR EXISTS (SELECT 1 FROM memories WHERE text_seq = OLD.seq)",
        "a text is never changed; one that no memory uses is blanked",
    ),
    _guard("memory_texts_no_delete", "DELETE ON memory_texts", "", "memory_texts keeps its rows, blanked"),
    _guard("memory_changes_no_delete", "DELETE ON memory_changes", "", "memory_changes keeps its row"),
    _guard(
        "memory_changes_next",
        "UPDATE ON memory_changes",
        "NEW.id <> OLD.id OR NEW.number <> OLD.number + 1",
        "changes count by one",
    ),
    _guard(
        "memory_changes_one", "INSERT ON memory_changes", "EXISTS (SELECT 1 FROM memory_changes)", "there is one count"
    ),
    _guard(
        "memories_new",
        "INSERT ON memories",
        f"""NEW.version <> 1 OR NEW.updated_by <> NEW.created_by OR NEW.change <> {NEXT_CHANGE} + 1
        OR (NEW.scope = 'project' AND NOT EXISTS (SELECT 1 FROM workspaces WHERE id = NEW.scope_id))
        OR NOT EXISTS (SELECT 1 FROM memory_texts WHERE seq = NEW.text_seq AND title <> '')
        OR EXISTS (SELECT 1 FROM memories WHERE id = NEW.id OR text_seq = NEW.text_seq OR rowid = NEW.rowid)""",
        "a new memory has version 1, a text and a known scope",
    ),
    _guard(
        "memories_next",
        "UPDATE ON memories",
        f"""NEW.version <> OLD.version + 1 OR NEW.change <> {NEXT_CHANGE} + 1 OR NEW.updated_at < OLD.created_at
        OR NOT EXISTS (SELECT 1 FROM memory_texts WHERE seq = NEW.text_seq AND title <> '')
        OR {" OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FIXED)}""",
        "a memory changes one version at a time",
    ),
    """
    CREATE TRIGGER memories_counted AFTER INSERT ON memories
    BEGIN UPDATE memory_changes SET number = number + 1 WHERE id = 1; END
    """,
    f"""
    CREATE TRIGGER memories_edited AFTER UPDATE ON memories BEGIN
        UPDATE memory_changes SET number = number + 1 WHERE id = 1;
        UPDATE memory_texts SET {BLANK} WHERE seq = OLD.text_seq AND OLD.text_seq <> NEW.text_seq;
    END
    """,
    f"""
    CREATE TRIGGER memories_deleted AFTER DELETE ON memories BEGIN
        UPDATE memory_changes SET number = number + 1 WHERE id = 1;
        UPDATE memory_texts SET {BLANK} WHERE seq = OLD.text_seq;
    END
    """,
)
