"""The SQL of threads and of their chains of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, func, select

from waybook.sessions.threads.model import ChainedRun, Thread
from waybook.store.tables import missions, pins, runs, thread_runs, threads, workspaces

if TYPE_CHECKING:
    from sqlalchemy import Connection


def _threads() -> Select[Any]:
    counts = [
        select(func.count()).select_from(table).where(table.c.thread_id == threads.c.id).scalar_subquery()
        for table in (thread_runs, pins)
    ]
    return select(
        threads.c.id,
        threads.c.workspace_id,
        workspaces.c.name,
        threads.c.title,
        threads.c.state,
        *counts,
        threads.c.version,
        threads.c.created_by,
        threads.c.updated_by,
        threads.c.created_at,
        threads.c.updated_at,
    ).join(workspaces, workspaces.c.id == threads.c.workspace_id)


def add_thread(connection: Connection, thread: Thread) -> None:
    """Add a new, open thread."""
    connection.execute(
        threads.insert().values(
            id=thread.id,
            workspace_id=thread.workspace_id,
            title=thread.title,
            state=thread.state,
            version=thread.version,
            created_by=thread.created_by,
            updated_by=thread.updated_by,
            created_at=thread.created_at,
            updated_at=thread.updated_at,
        )
    )


def find_thread(connection: Connection, thread_id: str) -> Thread | None:
    """The thread of this id."""
    row = connection.execute(_threads().where(threads.c.id == thread_id)).one_or_none()
    return None if row is None else Thread(*row)


def list_threads(connection: Connection, workspace_id: str, *, closed: bool, limit: int) -> tuple[Thread, ...]:
    """The newest threads of a workspace ("": of all); open ones only unless `closed`."""
    query = _threads().order_by(threads.c.created_at.desc(), threads.c.id.desc()).limit(limit)
    if workspace_id:
        query = query.where(threads.c.workspace_id == workspace_id)
    if not closed:
        query = query.where(threads.c.state == "open")
    return tuple(Thread(*row) for row in connection.execute(query))


def close_thread(connection: Connection, thread: Thread, by: str, now: str) -> None:
    """Close a thread, as its next version."""
    connection.execute(
        threads.update()
        .where(threads.c.id == thread.id, threads.c.version == thread.version)
        .values(state="closed", version=thread.version + 1, updated_by=by, updated_at=now)
    )


def chain(connection: Connection, thread_id: str) -> tuple[ChainedRun, ...]:
    """The runs of a thread, oldest first."""
    query = (
        select(thread_runs.c.sequence, runs.c.id, runs.c.state, missions.c.goal, thread_runs.c.created_at)
        .join(runs, runs.c.id == thread_runs.c.run_id)
        .join(missions, missions.c.id == runs.c.mission_id)
        .where(thread_runs.c.thread_id == thread_id)
        .order_by(thread_runs.c.sequence)
    )
    return tuple(ChainedRun(*row) for row in connection.execute(query))


def thread_of(connection: Connection, run_id: str) -> str | None:
    """The thread whose chain a run belongs to."""
    return connection.execute(
        select(thread_runs.c.thread_id).where(thread_runs.c.run_id == run_id)
    ).scalar_one_or_none()


def add_run(connection: Connection, thread_id: str, sequence: int, run_id: str, now: str) -> None:
    """Put a run at the end of a thread's chain."""
    connection.execute(
        thread_runs.insert().values(thread_id=thread_id, sequence=sequence, run_id=run_id, created_at=now)
    )
