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
