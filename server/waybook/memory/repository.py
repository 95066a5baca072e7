"""The SQL of long-term memory. The triggers of schema 2 blank a text that no memory uses any more."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import BindParameter, Integer, Select, and_, bindparam, func, or_, select

from waybook.memory.model import Memory, Scope, SourceKind, Status
from waybook.memory.rules import is_expired
from waybook.store.tables import memories, memory_changes, memory_texts, workspaces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection


Owner = tuple[Scope, str]
"""A scope and the id of what it is about."""

_COLUMNS = (
    memories.c.id,
    memories.c.scope,
    memories.c.scope_id,
    memory_texts.c.title,
    memory_texts.c.content,
    memories.c.content_sha256,
    memories.c.status,
    memories.c.source_kind,
    memory_texts.c.source_ref,
    memory_texts.c.refs,
    memories.c.retention_until,
    memories.c.redacted,
    memories.c.created_by,
    memories.c.updated_by,
    memories.c.version,
    memories.c.created_at,
    memories.c.updated_at,
)
_JOINED = memories.join(memory_texts, memory_texts.c.seq == memories.c.text_seq)
_ONE = select(*_COLUMNS).select_from(_JOINED).where(memories.c.id == bindparam("memory_id"))
_SOME = select(*_COLUMNS).select_from(_JOINED).where(memories.c.id.in_(bindparam("ids", expanding=True)))
_NEXT_TEXT = select(func.coalesce(func.max(memory_texts.c.seq), 0) + 1)
_NUMBER = select(memory_changes.c.number)
_SCOPES = {item.value: item for item in Scope}
_STATUSES = {item.value: item for item in Status}
_SOURCES = {item.value: item for item in SourceKind}


def _memory(row: Any, now: str) -> Memory:
    """A record from a row of `_COLUMNS`."""
    id_, scope, scope_id, title, content, content_sha256 = row[:6]
    status, kind, source_ref, refs, until, redacted, created_by, updated_by, version, created_at, updated_at = row[6:]
    return Memory(
        id_,
        _SCOPES[scope],
        scope_id,
        title,
        content,
        content_sha256,
        _STATUSES[status],
        _SOURCES[kind],
        source_ref,
        tuple(refs.split("\n")) if refs else (),
        until or "",
        bool(redacted),
        created_by,
        updated_by,
        version,
        created_at,
        updated_at,
        is_expired(until or "", now),
    )


def find(connection: Connection, memory_id: str, now: str) -> Memory | None:
    """The memory of this id."""
    row = connection.execute(_ONE, {"memory_id": memory_id}).one_or_none()
    return None if row is None else _memory(row, now)


def by_ids(connection: Connection, ids: Sequence[str], now: str) -> dict[str, Memory]:
    """The memories of these ids, as far as they exist."""
    rows = connection.execute(_SOME, {"ids": list(ids)}).all()
    return {row[0]: _memory(row, now) for row in rows}


def knows_workspace(connection: Connection, workspace_id: str) -> bool:
    """Whether a workspace of this id is registered."""
    return connection.execute(select(workspaces.c.id).where(workspaces.c.id == workspace_id)).first() is not None


def add(connection: Connection, memory: Memory) -> None:
    """Add a memory of version 1 with its text."""
    values = _values(connection, memory)
    connection.execute(
        memories.insert(),
        {
            **values,
            "id": memory.id,
            "scope": memory.scope.value,
            "scope_id": memory.scope_id,
            "text_seq": _add_text(connection, memory),
            "source_kind": memory.source_kind.value,
            "created_by": memory.created_by,
            "created_at": memory.created_at,
        },
    )


def replace(connection: Connection, memory: Memory, *, new_text: bool) -> None:
    """Write the next version of a memory; with `new_text` its old text is blanked by the database."""
    values = _values(connection, memory)
    if new_text:
        values["text_seq"] = _add_text(connection, memory)
    connection.execute(memories.update().where(memories.c.id == memory.id).values(values))


def delete(connection: Connection, memory_id: str) -> None:
    """Remove a memory; the database blanks its text."""
    connection.execute(memories.delete().where(memories.c.id == memory_id))


def _values(connection: Connection, memory: Memory) -> dict[str, Any]:
    return {
        "content_sha256": memory.content_sha256,
        "status": memory.status.value,
        "retention_until": memory.retention_until or None,
        "redacted": int(memory.redacted),
        "updated_by": memory.updated_by,
        "version": memory.version,
        "updated_at": memory.updated_at,
        "change": change_number(connection) + 1,
    }


def _add_text(connection: Connection, text: Memory) -> int:
    seq = int(connection.execute(_NEXT_TEXT).scalar_one())
    connection.execute(
        memory_texts.insert(),
        {
            "seq": seq,
            "title": text.title,
            "content": text.content,
            "source_ref": text.source_ref,
            "refs": "\n".join(text.references),
        },
    )
    return seq


def _owned(count: int) -> ColumnElement[bool]:
    """One of so many owners, given as parameters `scope0`, `owner0`, ..."""
    return or_(
        *(
            and_(memories.c.scope == bindparam(f"scope{place}"), memories.c.scope_id == bindparam(f"owner{place}"))
            for place in range(count)
        )
    )


def _owners(owners: Sequence[Owner]) -> dict[str, Any]:
    return {
        name: value
        for place, (scope, owner) in enumerate(owners)
        for name, value in ((f"scope{place}", scope.value), (f"owner{place}", owner))
    }


@cache
def _listed(count: int, *, everything: bool) -> Select[Any]:
    """What so many owners have; statements are made once, since making one takes longer than running it."""
    query = select(*_COLUMNS).select_from(_JOINED).where(_owned(count))
    if everything:
        return query
    return query.where(
        memories.c.status == Status.ACTIVE.value,
        or_(memories.c.retention_until.is_(None), memories.c.retention_until > bindparam("now")),
    )


@cache
def _paged(count: int, *, everything: bool, continued: bool) -> Select[Any]:
    query = _listed(count, everything=everything).order_by(memories.c.updated_at.desc(), memories.c.id)
    query = query.limit(bindparam("many", type_=Integer))
    if not continued:
        return query
    updated = memories.c.updated_at
    stamp: BindParameter[str] = bindparam("stamp")
    return query.where(or_(updated < stamp, and_(updated == stamp, memories.c.id > bindparam("last"))))


def page(
    connection: Connection,
    owners: Sequence[Owner],
    now: str,
    limit: int,
    *,
    everything: bool,
    after: tuple[str, str] | None,
) -> list[Memory]:
    """The newest updates first, then by id; those behind `after` (updated_at, id)."""
    values = {**_owners(owners), "now": now, "many": limit}
    if after is not None:
        values["stamp"], values["last"] = after
    query = _paged(len(owners), everything=everything, continued=after is not None)
    return [_memory(row, now) for row in connection.execute(query, values).all()]


@cache
def _by_id(count: int, *, everything: bool) -> Select[Any]:
    return _listed(count, everything=everything).order_by(memories.c.id).limit(bindparam("many", type_=Integer))


def usable(connection: Connection, owner: Owner, now: str, limit: int) -> list[Memory]:
    """Memories that are neither disabled nor expired, by id."""
    values = {**_owners([owner]), "now": now, "many": limit}
    return [_memory(row, now) for row in connection.execute(_by_id(1, everything=False), values).all()]


def all_of(connection: Connection, owners: Sequence[Owner], now: str, *, everything: bool) -> list[Memory]:
    """Every memory of these owners, by id."""
    values = {**_owners(owners), "now": now, "many": -1}
    return [_memory(row, now) for row in connection.execute(_by_id(len(owners), everything=everything), values).all()]


_SAME = (
    select(memories.c.id)
    .select_from(_JOINED)
    .where(
        _owned(1),
        memories.c.content_sha256 == bindparam("content_sha256"),
        memory_texts.c.title == bindparam("title"),
    )
    .limit(1)
)


def same_text(connection: Connection, owner: Owner, title: str, content_sha256: str) -> bool:
    """Whether this owner has a memory of this title and content already."""
    values = {**_owners([owner]), "title": title, "content_sha256": content_sha256}
    return connection.execute(_SAME, values).first() is not None


def change_number(connection: Connection) -> int:
    """Grows by one with every write to a memory."""
    return int(connection.execute(_NUMBER).scalar_one())


def changed_since(connection: Connection, number: int) -> list[tuple[Any, ...]]:
    """(id, scope, scope_id, title, content, disabled, retention_until, updated_at) of what was written since."""
    query = (
        select(
            memories.c.id,
            memories.c.scope,
            memories.c.scope_id,
            memory_texts.c.title,
            memory_texts.c.content,
            memories.c.status == Status.DISABLED.value,
            func.coalesce(memories.c.retention_until, ""),
            memories.c.updated_at,
        )
        .select_from(_JOINED)
        .where(memories.c.change > number)
    )
    return [tuple(row) for row in connection.execute(query)]


def ids(connection: Connection) -> frozenset[str]:
    """The ids of every memory."""
    return frozenset(connection.execute(select(memories.c.id)).scalars())


def count(connection: Connection) -> int:
    """How many memories there are."""
    return int(connection.execute(select(func.count()).select_from(memories)).scalar_one())
