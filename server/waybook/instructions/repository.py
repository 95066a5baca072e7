"""The SQL of the instruction ledger and of the baselines. Nothing here updates or deletes; triggers see to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from waybook.store.tables import (
    baseline_snapshots,
    run_instruction_snapshots,
    runs,
    workspace_baselines,
    workspaces,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class RunRow:
    """What the ledger needs to know of a run: where it works and what it was aimed at."""

    run_id: str
    workspace_id: str
    root: str
    target: str


@dataclass(frozen=True, slots=True)
class RevisionRow:
    """One revision of the ledger; `snapshot` is empty where the body was not asked for."""

    revision: int
    fingerprint: str
    previous_fingerprint: str
    diff: str
    confirmed_by: str
    created_at: str
    snapshot: str = ""


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """One baseline without its snapshots."""

    id: str
    workspace_id: str
    revision: int
    tree_fingerprint: str
    scope_count: int
    created_by: str
    created_at: str


@dataclass(frozen=True, slots=True)
class ScopeRow:
    """One scope of a baseline; `snapshot` is JSON."""

    scope: str
    fingerprint: str
    snapshot: str


_LEDGER = run_instruction_snapshots
_REVISION = (
    _LEDGER.c.revision,
    _LEDGER.c.fingerprint,
    _LEDGER.c.previous_fingerprint,
    _LEDGER.c.diff,
    _LEDGER.c.confirmed_by,
    _LEDGER.c.created_at,
)


def find_run(connection: Connection, run_id: str) -> RunRow | None:
    """The run of this id."""
    query = (
        select(runs.c.id, runs.c.workspace_id, workspaces.c.root_path, runs.c.target)
        .join(workspaces, workspaces.c.id == runs.c.workspace_id)
        .where(runs.c.id == run_id)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else RunRow(*row)


def newest_revision(connection: Connection, run_id: str) -> RevisionRow | None:
    """The revision a run is pinned to, with its snapshot."""
    query = (
        select(*_REVISION, _LEDGER.c.snapshot)
        .where(_LEDGER.c.run_id == run_id)
        .order_by(_LEDGER.c.revision.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else RevisionRow(*row)


def revisions(connection: Connection, run_id: str) -> tuple[RevisionRow, ...]:
    """Every revision of a run, oldest first, without the snapshots."""
    query = select(*_REVISION).where(_LEDGER.c.run_id == run_id).order_by(_LEDGER.c.revision)
    return tuple(RevisionRow(*row) for row in connection.execute(query))


def append_revision(connection: Connection, run_id: str, row: RevisionRow) -> None:
    """Add the next revision of a run."""
    connection.execute(
        _LEDGER.insert().values(
            run_id=run_id,
            revision=row.revision,
            snapshot=row.snapshot,
            fingerprint=row.fingerprint,
            previous_fingerprint=row.previous_fingerprint,
            diff=row.diff,
            confirmed_by=row.confirmed_by,
            created_at=row.created_at,
        )
    )


def workspace_root(connection: Connection, workspace_id: str) -> str | None:
    """The root path of a workspace; None for an unknown id."""
    query = select(workspaces.c.root_path).where(workspaces.c.id == workspace_id)
    return connection.execute(query).scalar_one_or_none()


def newest_baseline(connection: Connection, workspace_id: str) -> BaselineRow | None:
    """The newest baseline of a workspace."""
    table = workspace_baselines
    query = (
        select(
            table.c.id,
            table.c.workspace_id,
            table.c.revision,
            table.c.tree_fingerprint,
            table.c.scope_count,
            table.c.created_by,
            table.c.created_at,
        )
        .where(table.c.workspace_id == workspace_id)
        .order_by(table.c.revision.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else BaselineRow(*row)


def baseline_scopes(connection: Connection, baseline_id: str) -> tuple[ScopeRow, ...]:
    """The scopes of a baseline, in order of their names."""
    table = baseline_snapshots
    query = (
        select(table.c.scope, table.c.fingerprint, table.c.snapshot)
        .where(table.c.baseline_id == baseline_id)
        .order_by(table.c.scope)
    )
    return tuple(ScopeRow(*row) for row in connection.execute(query))


def append_baseline(connection: Connection, row: BaselineRow, scopes: Iterable[ScopeRow]) -> None:
    """Add the next baseline of a workspace with all its scopes."""
    connection.execute(
        workspace_baselines.insert().values(
            id=row.id,
            workspace_id=row.workspace_id,
            revision=row.revision,
            tree_fingerprint=row.tree_fingerprint,
            scope_count=row.scope_count,
            created_by=row.created_by,
            created_at=row.created_at,
        )
    )
    bodies = [
        {"baseline_id": row.id, "scope": item.scope, "fingerprint": item.fingerprint, "snapshot": item.snapshot}
        for item in scopes
    ]
    if bodies:
        connection.execute(baseline_snapshots.insert(), bodies)
