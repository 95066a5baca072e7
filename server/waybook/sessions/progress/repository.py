"""The SQL of run states and completions. Nothing here updates or deletes a completion; triggers see to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from waybook.sessions.progress.model import Completion, CompletionKind
from waybook.store.tables import completions, runs

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from waybook.sessions.model import RunState


def set_state(connection: Connection, run_id: str, state: RunState, now: str) -> None:
    """Move a run."""
    connection.execute(runs.update().where(runs.c.id == run_id).values(state=state.value, updated_at=now))


def _completion(row: Any) -> Completion:
    return Completion(
        id=row.id,
        workspace_id=row.workspace_id,
        thread_id=row.thread_id or "",
        run_id=row.run_id or "",
        kind=CompletionKind(row.kind),
        reference=row.reference,
        recorded_by=row.recorded_by,
        created_at=row.created_at,
    )


def find_completion(
    connection: Connection, kind: CompletionKind, run_id: str, thread_id: str, reference: str
) -> Completion | None:
    """What was recorded for this subject under this reference; ids are "" for none."""
    query = select(completions).where(
        completions.c.kind == kind.value,
        completions.c.run_id.is_(None) if not run_id else completions.c.run_id == run_id,
        completions.c.thread_id.is_(None) if not thread_id else completions.c.thread_id == thread_id,
        completions.c.reference == reference,
    )
    row = connection.execute(query).first()
    return None if row is None else _completion(row)


def add_completion(connection: Connection, completion: Completion) -> None:
    """Record a completion."""
    connection.execute(
        completions.insert().values(
            id=completion.id,
            workspace_id=completion.workspace_id,
            thread_id=completion.thread_id or None,
            run_id=completion.run_id or None,
            kind=completion.kind.value,
            reference=completion.reference,
            recorded_by=completion.recorded_by,
            created_at=completion.created_at,
        )
    )
