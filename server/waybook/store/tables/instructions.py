"""Workspaces, missions, runs, the instruction ledger and the baselines."""

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

from waybook.store.tables.base import metadata, text

RUN_STATES = ("created", "running", "waiting_input", "paused", "completed", "failed", "cancelled")

workspaces = Table(
    "workspaces",
    metadata,
    Column("id", Text, primary_key=True),
    text("root_path"),
    text("name"),
    text("created_at"),
    UniqueConstraint("root_path"),
    UniqueConstraint("name"),
    sqlite_strict=True,
)

missions = Table(
    "missions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    text("goal"),
    text("created_by"),
    text("created_at"),
    Index(None, "workspace_id"),
    sqlite_strict=True,
)

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("mission_id", Text, ForeignKey("missions.id"), nullable=False),
    Column("workspace_id", Text, ForeignKey("workspaces.id"), nullable=False),
    text("profile"),
    text("target"),
    text("state"),
    text("created_by"),
    text("created_at"),
    text("updated_at"),
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
    text("snapshot"),
    text("fingerprint"),
    text("previous_fingerprint"),
    text("diff"),
    text("confirmed_by"),
    text("created_at"),
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
    text("tree_fingerprint"),
    Column("scope_count", Integer, nullable=False),
    text("created_by"),
    text("created_at"),
    UniqueConstraint("workspace_id", "revision"),
    CheckConstraint("revision >= 1", name="revision"),
    sqlite_strict=True,
)

baseline_snapshots = Table(
    "baseline_snapshots",
    metadata,
    Column("baseline_id", Text, ForeignKey("workspace_baselines.id"), nullable=False),
    text("scope"),
    text("fingerprint"),
    text("snapshot"),
    PrimaryKeyConstraint("baseline_id", "scope"),
    sqlite_strict=True,
)
