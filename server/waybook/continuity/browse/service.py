"""Tree, comparison and handoff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import NotFoundError
from waybook.continuity import repository
from waybook.continuity.branches.beginnings import ensure_root
from waybook.continuity.branches.service import require_node
from waybook.continuity.browse import repository as shown
from waybook.continuity.browse.compare import compare
from waybook.continuity.browse.family import family_of
from waybook.continuity.browse.handoff import Handoff, KnownMemory, hand_off
from waybook.continuity.browse.tree import make_tree
from waybook.continuity.capture.repository import memory_states, run_by
from waybook.continuity.rules import memory_state, refuse_projection
from waybook.continuity.subjects import Subject, find_subject, of_run
from waybook.memory import repository as memories
from waybook.sessions import repository as runs
from waybook.sessions.text import require_storable
from waybook.workspace.git import GitIdentity, identify

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.continuity.browse.model import Comparison, Tree
    from waybook.continuity.model import Node
    from waybook.store.store import Connection, Store


class BrowseService:
    """Looks at what is stored; `look` gives the Git identity of a root as it is now."""

    def __init__(self, store: Store, *, look: Callable[[str], GitIdentity] | None = None) -> None:
        self._store = store
        self._look = look or _identify

    def tree(self, name: str) -> Tree:
        """Everything that hangs together with a session, run or node of this id.

        A run without a root node gets it here. Raises `NotFoundError` or `UsageError`.
        """
        with self._store.read() as connection:
            subject = _subject(connection, name)
            rootless = subject.run is not None and not repository.has_beginning(connection, subject.run.id)
        if rootless:
            with self._store.write() as connection:
                ensure_root(connection, subject)
        looked: dict[str, GitIdentity] = {}
        with self._store.read() as connection:
            family = family_of(connection, subject.session_id)
            for row in family.rows:
                if row.git_state == "repository" and row.root not in looked:
                    looked[row.root] = self._look(row.root)
            now = timestamp(self._store.clock.now())
            return make_tree(connection, subject, family, now, looked.__getitem__)

    def compare(self, a: str, b: str) -> Comparison:
        """Two nodes side by side; a run or session stands for its newest node. Raises `NotFoundError`, `StoreError`."""
        with self._store.read() as connection:
            nodes = [_newest(connection, name) for name in (a, b)]
            found = [runs.find_run(connection, node.run_id) if node.run_id else None for node in nodes]
            states = ["" if run is None else run.state.value for run in found]
            return compare(nodes[0], nodes[1], (states[0], states[1]))

    def handoff(
        self, name: str, agent: str, max_tokens: int, count: Callable[[str], int | None], *, goal: str = ""
    ) -> Handoff:
        """The opening prompt of an agent for a node (a run or session stands for its newest); see `hand_off`.

        An empty `goal` is that of the node's run. Memories go in as they are now, and only where they are still valid.
        """
        with self._store.read() as connection:
            node = _newest(connection, name)
            run = runs.find_run(connection, node.run_id) if node.run_id else None
            known = _valid_memories(connection, node, timestamp(self._store.clock.now()))
        goal = goal.strip() or (run.goal if run else f"Go on where this left off: {node.title}")
        return hand_off(node, agent, goal, known, max_tokens, count)


def _identify(root: str) -> GitIdentity:
    return identify(root, dirty=False)


def _subject(connection: Connection, name: str) -> Subject:
    """Also a node's id means its session."""
    require_storable("name", name)
    session = shown.session_of_node(connection, name) or name
    try:
        return find_subject(connection, session)
    except NotFoundError:
        known = repository.newest_node(connection, session)
        if known is None:
            raise
        run = run_by(connection, known.run_id) if known.run_id else None
        return of_run(connection, run) if run else Subject(None, None, session, "", ".", "deleted session")


def _newest(connection: Connection, name: str) -> Node:
    refuse_projection(name)
    require_storable("node", name)
    node = repository.find_node(connection, name)
    if node is not None:
        return node
    if name.startswith("nod_"):
        return require_node(connection, name)
    subject = _subject(connection, name)
    newest = repository.newest_node(connection, subject.session_id)
    if newest is None:
        raise NotFoundError(
            f"There is no checkpoint of {name} yet.", code="no-node", hint=f"waybook session checkpoint {name}"
        )
    return newest


def _valid_memories(connection: Connection, node: Node, now: str) -> tuple[KnownMemory, ...]:
    references = node.snapshot.memories
    states = memory_states(connection, [item.id for item in references])
    valid = [item.id for item in references if memory_state(item, states.get(item.id), now) == "active"]
    found = memories.by_ids(connection, valid, now) if valid else {}
    return tuple(KnownMemory(name, found[name].title, found[name].content) for name in valid if name in found)
