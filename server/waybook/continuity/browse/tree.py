"""The tree of a session: stored nodes with their marks, and beside them what is only shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybook.continuity.browse import repository
from waybook.continuity.browse.model import Mark, Tree, TreeNode, TreeSession
from waybook.continuity.capture.repository import memory_states
from waybook.continuity.repository import git_of, memory_sets, row_numbers
from waybook.continuity.rules import memory_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from waybook.continuity.browse.family import Family
    from waybook.continuity.browse.repository import Shown
    from waybook.continuity.subjects import Subject
    from waybook.store.store import Connection
    from waybook.workspace.git import GitIdentity


def make_tree(
    connection: Connection, subject: Subject, family: Family, now: str, look: Callable[[str], GitIdentity]
) -> Tree:
    """The tree of a subject. `look` gives the Git identity of a root as it is now, without what is not committed."""
    memory_marks = _memory_marks(connection, family.rows, now)
    roots = {row.root: look(row.root) for row in family.rows if row.git_state == "repository"}
    first = _first_nodes(family)
    stored = [
        _stored(row, family, first, (*memory_marks.get(row.memory_seq, ()), *_git_marks(row, roots)))
        for row in family.rows
    ]
    plain = [_session_node(name, family) for name in _sessions(family) if first[name].startswith("session:")]
    shown = [
        node
        for kind, found in _projections(connection, family)
        for item in found
        if (node := _projected(kind, item, family, first)) is not None
    ]
    nodes = _in_order([*plain, *stored, *shown])
    sessions = tuple(_session(name, family, first) for name in _sessions(family))
    return Tree(subject.session_id, subject.run_id, first[family.top], nodes, sessions)


def _sessions(family: Family) -> list[str]:
    """Every session once: the top, then in the order of their first nodes, then those that agents forked."""
    return list(dict.fromkeys([family.top, *(row.session_id for row in family.rows), *family.infos]))


def _first_nodes(family: Family) -> dict[str, str]:
    """Session -> the node it begins with; one without a stored beginning begins with a shown one."""
    beginnings = {row.session_id: row.id for row in reversed(family.rows) if row.kind != "checkpoint"}
    return {name: beginnings.get(name, f"session:{name}") for name in _sessions(family)}


def _stored(row: Any, family: Family, first: dict[str, str], marks: tuple[Mark, ...]) -> TreeNode:
    parent = row.parent_id or ""
    if not parent and row.kind == "checkpoint":
        parent = first[row.session_id]
    if row.session_id not in family.infos and (row.kind != "root" and not row.run_id):
        marks = (*marks, Mark("session", row.session_id, "deleted"))
    return TreeNode(
        id=row.id,
        kind=row.kind,
        parent_id=parent,
        run_id=row.run_id or "",
        session_id=row.session_id,
        title=row.title,
        authoritative=True,
        created_at=row.created_at,
        created_by=row.created_by,
        summary=row.summary,
        status=row.status or "",
        fingerprint=row.fingerprint,
        config_fingerprint=row.config_fingerprint,
        instruction_fingerprint=row.instruction_fingerprint,
        messages=len(row_numbers(row.message_seqs)),
        memories=row.memories,
        compacted=row.compaction_seq is not None,
        git=git_of(row._mapping),  # noqa: SLF001 - the documented name of a row's mapping
        marks=marks,
    )


def _session_node(name: str, family: Family) -> TreeNode:
    info = family.infos.get(name)
    above = family.above.get(name)
    marks = () if info is not None else (Mark("session", name, "deleted"),)
    if info is not None and info.forked_from and name not in family.above and info.run_id == "":
        marks = (Mark("parent", info.forked_from, "missing"),)
    return TreeNode(
        id=f"session:{name}",
        kind="session",
        parent_id="" if above is None else f"session:{above[1]}",
        run_id="" if info is None else info.run_id,
        session_id=name,
        title=repository.line(info.title or info.native_id) if info is not None else "deleted session",
        authoritative=False,
        created_at=info.started_at if info is not None else "",
        marks=marks,
    )


def _projections(connection: Connection, family: Family) -> Iterable[tuple[str, list[Shown]]]:
    seqs = [info.seq for info in family.infos.values()]
    runs = list(family.session_of_run)
    yield "compaction", repository.summaries(connection, seqs)
    yield "note", repository.decisions(connection, runs)
    yield "delivery", repository.deliveries(connection, runs)


def _projected(kind: str, item: Shown, family: Family, first: dict[str, str]) -> TreeNode | None:
    session = item.owner if kind == "compaction" else family.session_of_run.get(item.owner, "")
    if session not in first:
        return None
    return TreeNode(
        id=item.id,
        kind=kind,
        parent_id=first[session],
        run_id=_run_of(session, family),
        session_id=session,
        title=item.title,
        authoritative=False,
        created_at=item.at,
        created_by=item.by,
    )


def _run_of(session: str, family: Family) -> str:
    """The run of a session: the first node knows it, if there is one."""
    info, rows = family.infos.get(session), family.by_session.get(session)
    return (rows[0].run_id if rows else info.run_id if info else "") or ""


def _session(name: str, family: Family, first: dict[str, str]) -> TreeSession:
    info = family.infos.get(name)
    rows = family.by_session.get(name, [])
    parent_node, parent_session = family.above.get(name, ("", ""))
    return TreeSession(
        session_id=name,
        run_id=_run_of(name, family),
        agent=info.agent if info else "",
        title=(info.title or info.native_id) if info else (rows[0].title if rows else name),
        first_node=first[name],
        parent_node=parent_node or first.get(parent_session, ""),
        parent_session=parent_session,
        messages=info.messages if info else 0,
        inherited=info.inherited if info else 0,
        state="present" if info else "silent" if any(row.kind == "root" for row in rows) else "deleted",
    )


def _in_order(nodes: list[TreeNode]) -> tuple[TreeNode, ...]:
    """Parents before children, each level by time; what hangs in a circle comes last, cut loose."""
    known = {node.id for node in nodes}
    children: dict[str, list[TreeNode]] = {}
    for node in nodes:
        children.setdefault(node.parent_id if node.parent_id in known else "", []).append(node)
    out: dict[str, TreeNode] = {}
    todo = list(reversed(children.get("", [])))
    while todo:
        node = todo.pop()
        out[node.id] = node
        todo += [child for child in reversed(children.get(node.id, [])) if child.id not in out]
    return (*out.values(), *(node for node in nodes if node.id not in out))


def _memory_marks(connection: Connection, rows: list[Any], now: str) -> dict[int | None, tuple[Mark, ...]]:
    """Marks by stored set of references: many nodes share one."""
    sets = memory_sets(connection, sorted({row.memory_seq for row in rows if row.memory_seq is not None}))
    states = memory_states(connection, sorted({item.id for found in sets.values() for item in found}))
    marks: dict[int | None, tuple[Mark, ...]] = {}
    for seq, references in sets.items():
        judged = [(item, memory_state(item, states.get(item.id), now)) for item in references]
        marks[seq] = tuple(
            Mark("memory", item.id, state, str(item.version), str(states[item.id].version) if item.id in states else "")
            for item, state in judged
            if state != "active"
        )
    return marks


def _git_marks(row: Any, roots: dict[str, GitIdentity]) -> tuple[Mark, ...]:
    if row.git_state != "repository":
        return ()
    now = roots[row.root]
    if now.state != "repository":
        return (Mark("git", "repository", "gone" if now.state == "none" else "unknown"),)
    branch = (row.git_branch or "detached HEAD", now.branch or "detached HEAD")
    pairs = (("branch", *branch), ("head", row.git_head, now.head))
    return tuple(Mark("git", name, "changed", before, after) for name, before, after in pairs if before != after)
