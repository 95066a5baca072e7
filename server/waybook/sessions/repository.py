"""The SQL of workspaces, missions and runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, and_, func, select

from waybook.sessions.model import Run, RunState, Workspace
from waybook.store.tables import missions, run_instruction_snapshots, runs, workspaces

if TYPE_CHECKING:
    from sqlalchemy import Connection

_WORKSPACE = (workspaces.c.id, workspaces.c.root_path, workspaces.c.name, workspaces.c.created_at)


def all_workspaces(connection: Connection) -> tuple[Workspace, ...]:
    """Every registered workspace, by name."""
    rows = connection.execute(select(*_WORKSPACE).order_by(workspaces.c.name))
    return tuple(Workspace(*row) for row in rows)


def workspace_by(connection: Connection, *, key: str, value: str) -> Workspace | None:
    """The workspace whose `id`, `root_path` or `name` (the key) has this value."""
    row = connection.execute(select(*_WORKSPACE).where(workspaces.c[key] == value)).one_or_none()
    return None if row is None else Workspace(*row)


def add_workspace(connection: Connection, workspace: Workspace) -> None:
    """Register a workspace."""
    connection.execute(
        workspaces.insert().values(
            id=workspace.id, root_path=workspace.root, name=workspace.name, created_at=workspace.created_at
        )
    )


def add_run(connection: Connection, run: Run) -> None:
    """Add a mission and its first run."""
    shared = {"workspace_id": run.workspace_id, "created_by": run.created_by, "created_at": run.created_at}
    connection.execute(missions.insert().values(id=run.mission_id, goal=run.goal, **shared))
    connection.execute(
        runs.insert().values(
            id=run.id,
            mission_id=run.mission_id,
            profile=run.profile,
            target=run.target,
            state=run.state.value,
            updated_at=run.updated_at,
            **shared,
        )
    )


def _runs() -> Select[Any]:
    ledger = run_instruction_snapshots
    newest = select(ledger.c.run_id, func.max(ledger.c.revision).label("revision")).group_by(ledger.c.run_id).subquery()
    return (
        select(
            runs.c.id,
            runs.c.mission_id,
            runs.c.workspace_id,
            workspaces.c.name.label("workspace"),
            missions.c.goal,
            runs.c.profile,
            runs.c.target,
            runs.c.state,
            func.coalesce(ledger.c.revision, 0).label("revision"),
            func.coalesce(ledger.c.fingerprint, "").label("fingerprint"),
            runs.c.created_by,
            runs.c.created_at,
            runs.c.updated_at,
        )
        .join(missions, missions.c.id == runs.c.mission_id)
        .join(workspaces, workspaces.c.id == runs.c.workspace_id)
        .outerjoin(newest, newest.c.run_id == runs.c.id)
        .outerjoin(ledger, and_(ledger.c.run_id == runs.c.id, ledger.c.revision == newest.c.revision))
    )


def _run(row: Any) -> Run:
    values = dict(row._mapping)  # noqa: SLF001 - the documented name of a row's mapping
    return Run(**{**values, "state": RunState(values["state"])})


def find_run(connection: Connection, run_id: str) -> Run | None:
    """The run of this id."""
    row = connection.execute(_runs().where(runs.c.id == run_id)).one_or_none()
    return None if row is None else _run(row)


def list_runs(connection: Connection, workspace_id: str, limit: int) -> tuple[Run, ...]:
    """The newest runs of a workspace, or of all for ""."""
    query = _runs().order_by(runs.c.created_at.desc(), runs.c.id.desc()).limit(limit)
    if workspace_id:
        query = query.where(runs.c.workspace_id == workspace_id)
    return tuple(_run(row) for row in connection.execute(query))
