"""Which sessions hang together: by stored forks and resumes, and by what agents say that they forked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from waybook.continuity.browse import repository

if TYPE_CHECKING:
    from waybook.continuity.browse.repository import SessionInfo
    from waybook.store.store import Connection


@dataclass(slots=True)
class Family:
    """`top` is the session that no other one here left from; `rows` are the stored nodes in the order of writing.

    `above`: session -> (node it left from or "", session it left from).
    """

    top: str
    rows: list[Any] = field(default_factory=list)
    infos: dict[str, SessionInfo] = field(default_factory=dict)
    above: dict[str, tuple[str, str]] = field(default_factory=dict)
    by_session: dict[str, list[Any]] = field(default_factory=dict)
    session_of_run: dict[str, str] = field(default_factory=dict)


def family_of(connection: Connection, session_id: str) -> Family:
    """Everything that hangs together with a session. Circles of forks, which damaged transcripts can form, end here."""
    top = _top(connection, session_id)
    family = Family(top)
    todo, trees = {top}, {top}
    while todo:
        fresh_rows = repository.node_rows(connection, trees)
        family.rows += fresh_rows
        fresh = {row.session_id for row in fresh_rows} | todo
        infos = repository.session_infos(connection, fresh - family.infos.keys())
        family.infos |= infos
        known = fresh | family.infos.keys() | family.above.keys()
        todo = set()
        for child, parent in _agents_forks(connection, infos):
            if child.id not in known and child.id not in family.above:
                family.above[child.id] = ("", parent)
                family.infos[child.id] = child
                todo.add(child.id)
        trees = todo
    family.rows.sort(key=lambda row: row.seq)
    _link(family)
    return family


def _agents_forks(connection: Connection, infos: dict[str, SessionInfo]) -> list[tuple[SessionInfo, str]]:
    by_agent: dict[str, dict[str, str]] = {}
    for info in infos.values():
        by_agent.setdefault(info.agent, {})[info.native_id] = info.id
    return [
        (child, names[child.forked_from])
        for agent, names in by_agent.items()
        for child in repository.forked_from(connection, agent, names)
        if child.id != names[child.forked_from]
    ]


def _link(family: Family) -> None:
    owner = {row.id: row.session_id for row in family.rows}
    for row in family.rows:
        family.by_session.setdefault(row.session_id, []).append(row)
        if row.run_id:
            family.session_of_run[row.run_id] = row.session_id
        if row.kind in {"fork", "resume"} and row.session_id != family.top:
            family.above[row.session_id] = (row.parent_id or "", owner.get(row.parent_id, ""))


def _top(connection: Connection, session_id: str) -> str:
    """Up along stored trees and agents' forks, never twice through the same session."""
    seen: set[str] = set()
    here = session_id
    while here not in seen:
        seen.add(here)
        tree = repository.tree_of(connection, here)
        if tree != here and tree not in seen:
            here = tree
            continue
        info = repository.session_infos(connection, [here]).get(here)
        if info is None or not info.forked_from:
            return here
        above = repository.named(connection, info.agent, [info.forked_from])
        if not above or above[0].id in seen:
            return here
        here = above[0].id
    return here
