"""The SQL of nodes and of the pieces they share. Nothing here updates or deletes; triggers see to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.dialects.sqlite import insert

from waybook.base.canonical import digest as digest_of
from waybook.base.errors import StoreError
from waybook.continuity.model import (
    Basis,
    Captured,
    MemoryReference,
    Node,
    NodeKind,
    Piece,
    PieceKind,
    Snapshot,
    TaskMode,
    reference_json,
)
from waybook.continuity.rows import fetch
from waybook.store.tables import (
    continuity_instructions,
    continuity_memory_references,
    continuity_memory_sets,
    continuity_messages,
    continuity_nodes,
)
from waybook.workspace.git import GitIdentity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

CHUNK = 500
"""Values of one query: below the bound of every SQLite."""
_PIECE = tuple(continuity_messages.c[name] for name in ("session_id", "key", "role", "kind", "text", "at"))
_KNOWN = "SELECT origin, seq, session_id, key, role, kind, text, at FROM continuity_messages WHERE origin IN ({})"
_SEQS = "SELECT origin, seq FROM continuity_messages WHERE origin IN ({})"
_KEEP = "INSERT INTO continuity_messages (origin, session_id, key, role, kind, text, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
_PLACE = """
    SELECT id, tree, mode, budget_tokens, (SELECT COUNT(*) FROM continuity_nodes
        WHERE session_id = n.session_id AND kind = 'checkpoint')
    FROM continuity_nodes AS n WHERE session_id = ? ORDER BY seq DESC LIMIT 1
"""
_BEGINNING = "SELECT 1 FROM continuity_nodes WHERE run_id = ? AND kind <> 'checkpoint'"
_ONE = select(continuity_nodes).where(continuity_nodes.c.id == bindparam("node_id"))
_NEWEST = (
    select(continuity_nodes)
    .where(continuity_nodes.c.session_id == bindparam("session_id"))
    .order_by(continuity_nodes.c.seq.desc())
    .limit(1)
)
_SET = select(continuity_memory_sets.c.seq).where(continuity_memory_sets.c.digest == bindparam("digest"))


SNAPSHOT_COLUMNS = (
    "fingerprint", "compaction_seq", "message_seqs", "memory_seq", "config_fingerprint", "instruction_fingerprint",
    "instruction_basis", "git_state", "git_branch", "git_head", "git_dirty", "git_worktree", "git_detached", "mode",
    "budget_tokens",
)  # fmt: skip
_ABOUT = (
    "id", "tree", "kind", "parent_id", "workspace_id", "run_id", "session_id", "title", "summary", "created_by",
    "created_at",
)  # fmt: skip
_ADD = (
    f"INSERT INTO continuity_nodes ({', '.join((*_ABOUT, *SNAPSHOT_COLUMNS))}) "  # noqa: S608 - fixed names
    f"VALUES ({', '.join('?' * (len(_ABOUT) + len(SNAPSHOT_COLUMNS)))})"
)


def known_pieces(connection: Connection, origins: Sequence[str]) -> dict[str, Captured]:
    """What is stored already of these origins."""
    rows = fetch(connection, _KNOWN.format(marks(origins)), tuple(origins)) if origins else []
    return {origin: Captured(origin, _piece(about), seq) for origin, seq, *about in rows}


def _piece(values: Sequence[Any]) -> Piece:
    session_id, key, role, kind, text, at = values
    return Piece(session_id, key, role, PieceKind(kind), text, at)


def keep_pieces(connection: Connection, pieces: Iterable[Captured]) -> dict[str, int]:
    """Store what is not there yet; the row numbers by origin."""
    items = list(pieces)
    have = {item.origin: item.seq for item in items if item.seq}  # rows are never changed, so what was there is there
    wanted = {item.origin: item.piece for item in items if not item.seq}
    if not wanted:
        return have
    have |= _row_numbers(connection, wanted)
    fresh = [
        (origin, piece.session_id, piece.key, piece.role, piece.kind.value, piece.text, piece.at)
        for origin, piece in wanted.items()
        if origin not in have
    ]
    if fresh:
        connection.exec_driver_sql(_KEEP, fresh)
        have |= _row_numbers(connection, [origin for origin, *_ in fresh])
    return have


def _row_numbers(connection: Connection, wanted: Iterable[str]) -> dict[str, int]:
    origins = tuple(wanted)
    return {row[0]: row[1] for row in fetch(connection, _SEQS.format(marks(origins)), origins)}


def marks(values: Sequence[str]) -> str:
    """As many question marks as there are values."""
    return ", ".join("?" for _ in values)


def keep_memories(connection: Connection, references: Sequence[MemoryReference]) -> int | None:
    """The row number of this set of references; None for an empty one."""
    if not references:
        return None
    digest = digest_of([reference_json(item) for item in references])
    found = connection.execute(_SET, {"digest": digest}).scalar()
    if found is None:
        connection.execute(continuity_memory_sets.insert(), {"digest": digest, "size": len(references)})
        found = connection.execute(_SET, {"digest": digest}).scalar_one()
        rows = [
            {
                "set_seq": found,
                "place": place,
                "memory_id": item.id,
                "scope": item.scope,
                "version": item.version,
                "sha256": item.sha256,
            }
            for place, item in enumerate(references, 1)
        ]
        connection.execute(continuity_memory_references.insert(), rows)
    return int(found)


def keep_instructions(connection: Connection, fingerprint: str, snapshot: str) -> None:
    """Keep instructions that no run is pinned to."""
    kept = insert(continuity_instructions).values(fingerprint=fingerprint, snapshot=snapshot)
    known = select(continuity_instructions.c.fingerprint).where(continuity_instructions.c.fingerprint == fingerprint)
    if connection.execute(known).first() is None:
        connection.execute(kept)


def kept_instructions(connection: Connection, fingerprint: str) -> str | None:
    """Instructions that were kept under a fingerprint, as JSON."""
    table = continuity_instructions
    return connection.execute(select(table.c.snapshot).where(table.c.fingerprint == fingerprint)).scalar()


def columns_of(
    connection: Connection, snapshot: Snapshot, pieces: dict[str, int], origins: Sequence[str]
) -> dict[str, Any]:
    """A snapshot's columns. `origins` are those of the compaction ("" for none) and of the messages, in order."""
    compaction, *messages = origins
    return {
        "fingerprint": snapshot.fingerprint,
        "compaction_seq": pieces[compaction] if compaction else None,
        "message_seqs": ",".join(str(pieces[origin]) for origin in messages),
        "memory_seq": keep_memories(connection, snapshot.memories),
        "config_fingerprint": snapshot.config_fingerprint,
        "instruction_fingerprint": snapshot.instruction_fingerprint,
        "instruction_basis": snapshot.instruction_basis.value,
        "git_state": snapshot.git.state,
        "git_branch": snapshot.git.branch,
        "git_head": snapshot.git.head,
        "git_dirty": snapshot.git.dirty,
        "git_worktree": snapshot.git.worktree,
        "git_detached": int(snapshot.git.detached),
        "mode": snapshot.mode.value,
        "budget_tokens": snapshot.budget_tokens,
    }


def pinned_columns(connection: Connection, node_id: str) -> dict[str, Any]:
    """The snapshot's columns of a node, to be pinned to a run as they are."""
    names = [continuity_nodes.c[name] for name in SNAPSHOT_COLUMNS]
    row = connection.execute(select(*names).where(continuity_nodes.c.id == node_id)).mappings().one()
    return dict(row)


def add_node(connection: Connection, node: Node, columns: dict[str, Any]) -> None:
    """Add a node with its snapshot's columns."""
    about = (node.id, node.tree, node.kind.value, node.parent_id or None, node.workspace_id, node.run_id or None)
    named = (node.session_id, node.title, node.summary, node.created_by, node.created_at)
    connection.exec_driver_sql(_ADD, (*about, *named, *(columns[name] for name in SNAPSHOT_COLUMNS)))


def find_node(connection: Connection, node_id: str) -> Node | None:
    """The node of this id, whole. Raises `StoreError` when it is not what was written."""
    row = connection.execute(_ONE, {"node_id": node_id}).mappings().one_or_none()
    return None if row is None else _node(connection, row)


def newest_node(connection: Connection, session_id: str) -> Node | None:
    """The last node of a session, whole."""
    row = connection.execute(_NEWEST, {"session_id": session_id}).mappings().one_or_none()
    return None if row is None else _node(connection, row)


@dataclass(frozen=True, slots=True)
class Place:
    """The last node of a session as the next one needs it; `checkpoints` counts those of the session."""

    id: str
    tree: str
    mode: str
    budget_tokens: int
    checkpoints: int


def newest_place(connection: Connection, session_id: str) -> Place | None:
    """The last node of a session, without its snapshot."""
    rows = fetch(connection, _PLACE, (session_id,))
    return Place(*rows[0]) if rows else None


def has_beginning(connection: Connection, run_id: str) -> bool:
    """Whether a run has its root, fork or resume node."""
    return bool(fetch(connection, _BEGINNING, (run_id,)))


def count_branches(connection: Connection, tree: str) -> int:
    """How many forks and resumes a tree has."""
    table = continuity_nodes
    rule = (table.c.tree == tree) & table.c.kind.in_((NodeKind.FORK.value, NodeKind.RESUME.value))
    return int(connection.execute(select(func.count()).select_from(table).where(rule)).scalar_one())


def _node(connection: Connection, row: Any) -> Node:
    try:
        return Node(
            id=row["id"],
            kind=NodeKind(row["kind"]),
            parent_id=row["parent_id"] or "",
            tree=row["tree"],
            workspace_id=row["workspace_id"],
            run_id=row["run_id"] or "",
            session_id=row["session_id"],
            title=row["title"],
            summary=row["summary"],
            snapshot=_filed(_snapshot(connection, row), row["fingerprint"]),
            created_by=row["created_by"],
            created_at=row["created_at"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"The stored node {row['id']} cannot be used: {error}.",
            code="store-damaged",
            hint="Put back a backup of the store, or make another checkpoint.",
        ) from error


def _filed(snapshot: Snapshot, fingerprint: str) -> Snapshot:
    if snapshot.fingerprint != fingerprint:
        raise ValueError("it does not have the fingerprint it is filed under")
    return snapshot


def _snapshot(connection: Connection, row: Any) -> Snapshot:
    seqs = row_numbers(row["message_seqs"])
    wanted = [*seqs, *([row["compaction_seq"]] if row["compaction_seq"] is not None else [])]
    table = continuity_messages
    rows = connection.execute(select(table.c.seq, *_PIECE).where(table.c.seq.in_(wanted))) if wanted else ()
    pieces = {seq: _piece(about) for seq, *about in rows}
    return Snapshot(
        compaction=None if row["compaction_seq"] is None else pieces[row["compaction_seq"]],
        messages=tuple(pieces[seq] for seq in seqs),
        memories=_references(connection, row["memory_seq"]),
        config_fingerprint=row["config_fingerprint"],
        instruction_fingerprint=row["instruction_fingerprint"],
        instruction_basis=Basis(row["instruction_basis"]),
        git=git_of(row),
        mode=TaskMode(row["mode"]),
        budget_tokens=row["budget_tokens"],
    )


def git_of(row: Any) -> GitIdentity:
    """The Git identity in a node's row."""
    return GitIdentity(
        row["git_state"],
        branch=row["git_branch"],
        head=row["git_head"],
        dirty=row["git_dirty"],
        worktree=row["git_worktree"],
        detached=bool(row["git_detached"]),
    )


def row_numbers(listed: str) -> list[int]:
    """The row numbers in a stored list. Raises `ValueError` for anything else."""
    return [int(number) for number in listed.split(",")] if listed else []


def _references(connection: Connection, seq: int | None) -> tuple[MemoryReference, ...]:
    if seq is None:
        return ()
    return memory_sets(connection, [seq])[seq]


def memory_sets(connection: Connection, seqs: Sequence[int]) -> dict[int, tuple[MemoryReference, ...]]:
    """Stored sets of references by row number."""
    table = continuity_memory_references
    names = [table.c[name] for name in ("set_seq", "memory_id", "scope", "version", "sha256")]
    found: dict[int, list[MemoryReference]] = {}
    for start in range(0, len(seqs), CHUNK):
        query = select(*names).where(table.c.set_seq.in_(seqs[start : start + CHUNK]))
        for seq, *reference in connection.execute(query.order_by(table.c.set_seq, table.c.place)):
            found.setdefault(seq, []).append(MemoryReference(*reference))
    return {seq: tuple(references) for seq, references in found.items()}
