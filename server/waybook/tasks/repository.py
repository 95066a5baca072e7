"""The SQL of anchors, briefs, references and results. Rows are only added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, func, select

from waybook.store.tables import context_traces, task_anchors, task_briefs, task_references, task_results
from waybook.tasks.model import BriefVersion, ContextRef, ReferenceEvent, Snapshot
from waybook.tasks.normal import anchor_from, brief_from

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

    from waybook.tasks.model import Anchor


def add_anchor(connection: Connection, trace_id: str, anchor: Anchor, by: str, now: str) -> None:
    """Keep the anchor of a new root."""
    connection.execute(
        task_anchors.insert().values(
            trace_id=trace_id, body=anchor.text, sha256=anchor.sha256, created_by=by, created_at=now
        )
    )


def find_anchor(connection: Connection, root_id: str) -> tuple[Anchor, str] | None:
    """The anchor of a root and the digest it was kept with."""
    row = connection.execute(select(task_anchors).where(task_anchors.c.trace_id == root_id)).one_or_none()
    return None if row is None else (anchor_from(row.body), row.sha256)


def add_brief(connection: Connection, brief: BriefVersion, anchor_sha256: str) -> None:
    """Keep a version of a brief."""
    connection.execute(
        task_briefs.insert().values(
            trace_id=brief.trace_id,
            version=brief.version,
            body=brief.brief.text,
            sha256=brief.brief.sha256,
            anchor_sha256=anchor_sha256,
            created_by=brief.created_by,
            created_at=brief.created_at,
        )
    )


def briefs_of(connection: Connection, trace_id: str) -> tuple[BriefVersion, ...]:
    """Every version of a trace's brief, oldest first."""
    query = select(task_briefs).where(task_briefs.c.trace_id == trace_id).order_by(task_briefs.c.version)
    return tuple(
        BriefVersion(row.trace_id, row.version, brief_from(row.body), row.created_by, row.created_at)
        for row in connection.execute(query)
    )


def add_event(connection: Connection, trace_id: str, event: ReferenceEvent, now: str) -> None:
    """Keep what was done to a trace's references."""
    snapshot = event.snapshot
    connection.execute(
        task_references.insert().values(
            trace_id=trace_id,
            number=_next(connection, task_references, "number", trace_id),
            action=event.action,
            ref_id=snapshot.ref.ref_id if snapshot else "",
            version=snapshot.ref.version if snapshot else "",
            kind=snapshot.kind if snapshot else "",
            body=snapshot.body if snapshot else "",
            at_sequence=event.at_sequence,
            created_at=now,
        )
    )


def events_of(connection: Connection, trace_id: str) -> tuple[ReferenceEvent, ...]:
    """What was done to a trace's references, in order."""
    query = select(task_references).where(task_references.c.trace_id == trace_id).order_by(task_references.c.number)
    return tuple(_event(row) for row in connection.execute(query))


def _event(row: Any) -> ReferenceEvent:
    if row.action != "grant":
        return ReferenceEvent(row.action, row.at_sequence)
    return ReferenceEvent("grant", row.at_sequence, Snapshot(ContextRef(row.ref_id, row.version), row.kind, row.body))


def _next(connection: Connection, table: Table, column: str, trace_id: str) -> int:
    newest = select(func.coalesce(func.max(table.c[column]), 0)).where(table.c.trace_id == trace_id)
    return int(connection.execute(newest).scalar_one()) + 1


def add_result(  # noqa: PLR0913 - the columns of a result
    connection: Connection,
    trace_id: str,
    *,
    brief_version: int,
    verdict: str,
    body: str,
    next_brief_sha256: str,
    by: str,
    now: str,
) -> int:
    """Keep a reviewed result; answers its number."""
    number = _next(connection, task_results, "number", trace_id)
    connection.execute(
        task_results.insert().values(
            trace_id=trace_id,
            number=number,
            brief_version=brief_version,
            verdict=verdict,
            body=body,
            next_brief_sha256=next_brief_sha256,
            created_by=by,
            created_at=now,
        )
    )
    return number


def results_of(connection: Connection, trace_id: str) -> tuple[tuple[int, int, str, str], ...]:
    """(number, brief version, verdict, time) of each reviewed result of a trace."""
    table = task_results.c
    query = (
        select(table.number, table.brief_version, table.verdict, table.created_at)
        .where(table.trace_id == trace_id)
        .order_by(table.number)
    )
    return tuple((row.number, row.brief_version, row.verdict, row.created_at) for row in connection.execute(query))


def approved_brief(connection: Connection, parent_id: str) -> str:
    """The digest of the brief that a parent approved last and has not handed down yet; "" for none."""
    child = context_traces.alias("child")
    used = (
        select(task_briefs.c.trace_id)
        .join(child, child.c.id == task_briefs.c.trace_id)
        .where(child.c.parent_id == parent_id, task_briefs.c.sha256 == task_results.c.next_brief_sha256)
        .where(task_briefs.c.created_at >= task_results.c.created_at)
    )
    query = (
        select(task_results.c.next_brief_sha256)
        .join(context_traces, context_traces.c.id == task_results.c.trace_id)
        .where(context_traces.c.parent_id == parent_id, task_results.c.next_brief_sha256 != "")
        .where(~exists(used.correlate(task_results)))
        .order_by(task_results.c.created_at.desc(), task_results.c.number.desc())
        .limit(1)
    )
    return connection.execute(query).scalar_one_or_none() or ""
