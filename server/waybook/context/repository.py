"""The SQL of traces, their messages, goal events and audits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from waybook.base.canonical import canonical_json
from waybook.base.records import to_json
from waybook.context.audit import AuditRecord, Subject, section_from
from waybook.context.goals import GoalEvent
from waybook.context.model import Injected, Message, ToolCall
from waybook.store.tables import context_audits, context_messages, context_traces, goal_events

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection


_FIELDS = (
    "sequence", "parent_sequence", "id", "role", "kind", "content", "call_id", "goal_id",
    "branch_type", "branch_id", "reasoning", "display", "provenance", "created_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """A trace without its messages. `capabilities`: names of the tools it was made with, frozen then; no permission.

    `parent_id` is "" for a root, `run_id` and `thread_id` are "" for none; `head` is the sequence of the newest message
    of the main path.
    """

    id: str
    root_id: str
    parent_id: str
    run_id: str
    thread_id: str
    depth: int
    capabilities: tuple[str, ...]
    head: int
    created_by: str
    created_at: str
    updated_at: str
    capability_grant: bool = False


def _record(row: Any) -> TraceRecord:
    return TraceRecord(
        id=row.id,
        root_id=row.root_id,
        parent_id=row.parent_id or "",
        run_id=row.run_id or "",
        thread_id=row.thread_id or "",
        depth=row.depth,
        capabilities=tuple(json.loads(row.capabilities)),
        head=row.head,
        created_by=row.created_by,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def add_trace(connection: Connection, record: TraceRecord) -> None:
    """Add an empty trace."""
    connection.execute(
        context_traces.insert().values(
            id=record.id,
            root_id=record.root_id,
            parent_id=record.parent_id or None,
            run_id=record.run_id or None,
            thread_id=record.thread_id or None,
            depth=record.depth,
            capabilities=canonical_json(list(record.capabilities)),
            skills="{}",
            head=record.head,
            created_by=record.created_by,
            created_at=record.created_at,
            updated_at=record.updated_at,
        )
    )


def find_trace(connection: Connection, trace_id: str) -> TraceRecord | None:
    """The trace of this id."""
    row = connection.execute(select(context_traces).where(context_traces.c.id == trace_id)).one_or_none()
    return None if row is None else _record(row)


def traces_of(connection: Connection, key: str, value: str) -> tuple[TraceRecord, ...]:
    """The traces with this `root_id`, `parent_id`, `run_id` or `thread_id`, oldest first."""
    query = select(context_traces).where(context_traces.c[key] == value).order_by(context_traces.c.seq)
    return tuple(_record(row) for row in connection.execute(query))


def move(connection: Connection, trace_id: str, head: int, skills: Mapping[str, Injected], now: str) -> None:
    """Write a trace's head and what it knows of skills."""
    connection.execute(
        context_traces.update()
        .where(context_traces.c.id == trace_id)
        .values(head=head, skills=canonical_json(to_json(skills)), updated_at=now)
    )


def skills_of(connection: Connection, trace_id: str) -> dict[str, Injected]:
    """Where skills were last given in a trace."""
    text = connection.execute(
        select(context_traces.c.skills).where(context_traces.c.id == trace_id)
    ).scalar_one_or_none()
    return {name: Injected(**value) for name, value in json.loads(text or "{}").items()}


def _seq(trace_id: str) -> Any:
    return select(context_traces.c.seq).where(context_traces.c.id == trace_id).scalar_subquery()


def add_message(connection: Connection, trace_id: str, message: Message) -> None:
    """Add a message at the end of a trace."""
    connection.execute(
        context_messages.insert().values(
            trace_seq=_seq(trace_id),
            calls=canonical_json(to_json(message.calls)) if message.calls else "[]",
            **{name: getattr(message, name) for name in _FIELDS},
        )
    )


def last_sequence(connection: Connection, trace_id: str) -> int:
    """The highest sequence of a trace; 0 for an empty one."""
    query = select(func.coalesce(func.max(context_messages.c.sequence), 0))
    return int(connection.execute(query.where(context_messages.c.trace_seq == _seq(trace_id))).scalar_one())


def messages_of(connection: Connection, trace_id: str) -> tuple[Message, ...]:
    """Every message of a trace, in order."""
    query = (
        select(context_messages)
        .where(context_messages.c.trace_seq == _seq(trace_id))
        .order_by(context_messages.c.sequence)
    )
    return tuple(
        Message(
            calls=tuple(ToolCall(**call) for call in json.loads(row.calls)) if row.calls != "[]" else (),
            **{name: getattr(row, name) for name in _FIELDS},
        )
        for row in connection.execute(query)
    )


def goal_events_of(connection: Connection, owner: str) -> tuple[GoalEvent, ...]:
    """What was done to the goals of a thread, run or trace, in order."""
    table = goal_events.c
    query = (
        select(table.action, table.goal_id, table.text, table.sequence, table.recorded_by, table.created_at)
        .where(table.owner == owner)
        .order_by(table.number)
    )
    return tuple(GoalEvent(*row) for row in connection.execute(query))


def add_goal_event(connection: Connection, owner: str, event: GoalEvent) -> None:
    """Add an event at the end of an owner's."""
    newest = connection.execute(
        select(func.coalesce(func.max(goal_events.c.number), 0)).where(goal_events.c.owner == owner)
    ).scalar_one()
    connection.execute(
        goal_events.insert().values(
            owner=owner,
            number=newest + 1,
            action=event.action,
            goal_id=event.goal_id,
            text=event.text,
            sequence=event.sequence,
            recorded_by=event.by,
            created_at=event.at,
        )
    )


def calls_made(connection: Connection, trace_id: str) -> int:
    """How many calls were recorded for a trace."""
    query = select(func.coalesce(func.max(context_audits.c.call), 0)).where(context_audits.c.trace_id == trace_id)
    return int(connection.execute(query).scalar_one())


def add_audit(connection: Connection, record: AuditRecord) -> None:
    """Add a call's audit."""
    connection.execute(
        context_audits.insert().values(
            id=record.id,
            trace_id=record.subject.trace_id,
            run_id=record.subject.run_id,
            thread_id=record.subject.thread_id,
            call=record.call,
            model=record.model,
            window=record.window,
            total_tokens=record.total_tokens,
            request_sha256=record.request_sha256,
            sections=canonical_json([section.to_json() for section in (*record.included, *record.omitted)]),
            created_at=record.at,
        )
    )


def audits_of(connection: Connection, subject: Subject, limit: int, call: int = 0) -> tuple[AuditRecord, ...]:
    """The newest audits of a trace, run or thread first, or that of one call."""
    query = select(context_audits).order_by(context_audits.c.seq.desc()).limit(limit)
    for name in ("trace_id", "run_id", "thread_id"):
        if value := getattr(subject, name):
            query = query.where(context_audits.c[name] == value)
    if call:
        query = query.where(context_audits.c.call == call)
    return tuple(_audit(row) for row in connection.execute(query))


def _audit(row: Any) -> AuditRecord:
    sections = tuple(section_from(value) for value in json.loads(row.sections))
    return AuditRecord(
        id=row.id,
        subject=Subject(row.trace_id, row.run_id, row.thread_id),
        call=row.call,
        model=row.model,
        window=row.window,
        total_tokens=row.total_tokens,
        request_sha256=row.request_sha256,
        at=row.created_at,
        included=tuple(section for section in sections if section.included),
        omitted=tuple(section for section in sections if not section.included),
    )
