"""Workspaces, missions, runs, the instruction ledger and the baselines. Never edited after release."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

STATES = "'created', 'running', 'waiting_input', 'paused', 'completed', 'failed', 'cancelled'"


def upgrade() -> None:
    _runs()
    _ledger()
    _baselines()
    for statement in TRIGGERS:
        op.execute(statement)


def _text(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _runs() -> None:
    op.create_table(
        "workspaces",
        *_text("id", "root_path", "name", "created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_workspaces"),
        sa.UniqueConstraint("root_path", name="uq_workspaces_root_path"),
        sa.UniqueConstraint("name", name="uq_workspaces_name"),
        sqlite_strict=True,
    )
    op.create_table(
        "missions",
        *_text("id", "workspace_id", "goal", "created_by", "created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_missions"),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name="fk_missions_workspace_id"),
        sqlite_strict=True,
    )
    op.create_index("ix_missions_workspace_id", "missions", ["workspace_id"])
    op.create_table(
        "runs",
        *_text("id", "mission_id", "workspace_id", "profile", "target", "state"),
        *_text("created_by", "created_at", "updated_at"),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.ForeignKeyConstraint(["mission_id"], ["missions.id"], name="fk_runs_mission_id"),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name="fk_runs_workspace_id"),
        sa.CheckConstraint(f"state IN ({STATES})", name=op.f("ck_runs_state")),
        sqlite_strict=True,
    )
    op.create_index("ix_runs_mission_id", "runs", ["mission_id"])
    op.create_index("ix_runs_workspace_id_created_at", "runs", ["workspace_id", "created_at"])


def _ledger() -> None:
    op.create_table(
        "run_instruction_snapshots",
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        *_text("snapshot", "fingerprint", "previous_fingerprint", "diff", "confirmed_by", "created_at"),
        sa.PrimaryKeyConstraint("run_id", "revision", name="pk_run_instruction_snapshots"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_instruction_snapshots_run_id"),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_run_instruction_snapshots_revision")),
        sqlite_strict=True,
    )


def _baselines() -> None:
    op.create_table(
        "workspace_baselines",
        *_text("id", "workspace_id"),
        sa.Column("revision", sa.Integer, nullable=False),
        *_text("tree_fingerprint"),
        sa.Column("scope_count", sa.Integer, nullable=False),
        *_text("created_by", "created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_workspace_baselines"),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspaces.id"], name="fk_workspace_baselines_workspace_id"),
        sa.UniqueConstraint("workspace_id", "revision", name="uq_workspace_baselines_workspace_id_revision"),
        sa.CheckConstraint("revision >= 1", name=op.f("ck_workspace_baselines_revision")),
        sqlite_strict=True,
    )
    op.create_table(
        "baseline_snapshots",
        *_text("baseline_id", "scope", "fingerprint", "snapshot"),
        sa.PrimaryKeyConstraint("baseline_id", "scope", name="pk_baseline_snapshots"),
        sa.ForeignKeyConstraint(["baseline_id"], ["workspace_baselines.id"], name="fk_baseline_snapshots_baseline_id"),
        sqlite_strict=True,
    )


def _refuse(table: str, action: str) -> str:
    return f"""
        CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table}
        BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
    """


# REPLACE deletes rows without firing DELETE triggers, so the INSERT triggers refuse what is already there as well:
# a revision that is not the next one, another row's rowid, and a scope more than the baseline was made with.
TRIGGERS = (
    *(
        _refuse(table, action)
        for table in ("run_instruction_snapshots", "workspace_baselines", "baseline_snapshots")
        for action in ("UPDATE", "DELETE")
    ),
    """
    CREATE TRIGGER run_instruction_snapshots_next BEFORE INSERT ON run_instruction_snapshots
    WHEN NEW.revision <> 1 + (
            SELECT COALESCE(MAX(revision), 0) FROM run_instruction_snapshots WHERE run_id = NEW.run_id)
        OR NEW.previous_fingerprint <> COALESCE((
            SELECT fingerprint FROM run_instruction_snapshots WHERE run_id = NEW.run_id
            ORDER BY revision DESC LIMIT 1), '')
        OR EXISTS (SELECT 1 FROM run_instruction_snapshots WHERE rowid = NEW.rowid)
    BEGIN SELECT RAISE(ABORT, 'run_instruction_snapshots takes the next revision only'); END
    """,
    """
    CREATE TRIGGER workspace_baselines_next BEFORE INSERT ON workspace_baselines
    WHEN NEW.revision <> 1 + (
            SELECT COALESCE(MAX(revision), 0) FROM workspace_baselines WHERE workspace_id = NEW.workspace_id)
        OR EXISTS (SELECT 1 FROM workspace_baselines WHERE id = NEW.id OR rowid = NEW.rowid)
    BEGIN SELECT RAISE(ABORT, 'workspace_baselines takes the next revision only'); END
    """,
    """
    CREATE TRIGGER baseline_snapshots_complete BEFORE INSERT ON baseline_snapshots
    WHEN (SELECT COUNT(*) FROM baseline_snapshots WHERE baseline_id = NEW.baseline_id)
            >= (SELECT scope_count FROM workspace_baselines WHERE id = NEW.baseline_id)
        OR EXISTS (SELECT 1 FROM baseline_snapshots
            WHERE (baseline_id = NEW.baseline_id AND scope = NEW.scope) OR rowid = NEW.rowid)
    BEGIN SELECT RAISE(ABORT, 'baseline_snapshots takes each scope of a new baseline once'); END
    """,
)
