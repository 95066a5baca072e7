"""Fork and resume: mission, run, pin, session, inherited history and branch marker, all in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from waybook.base.clock import timestamp
from waybook.base.errors import NotFoundError, StoreError
from waybook.base.records import to_json
from waybook.continuity import repository
from waybook.continuity.branches import repository as own
from waybook.continuity.branches.beginnings import one_line
from waybook.continuity.capture.repository import memory_states, session_by
from waybook.continuity.model import NEVER_INHERITED, Basis, MemoryReference, Node, NodeKind
from waybook.continuity.rules import memory_state, refuse_projection
from waybook.continuity.subjects import session_of_run, workspace
from waybook.instructions import repository as ledger
from waybook.instructions.stored import difference, dump_diff, load_snapshot
from waybook.sessions import repository as runs
from waybook.sessions.model import Run, RunState
from waybook.sessions.text import require_storable, short_text, title_line
from waybook.sessions.threads.service import append_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.base.actor import Actor
    from waybook.instructions.model import Snapshot as Instructions
    from waybook.store.store import Connection, Store

MAX_GOAL_BYTES = 16 * 1024
PROFILE = "default"
"""Every new run begins under the plain profile, whatever its source ran under."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A memory reference that a new run does not take over, and why: deleted, disabled, expired or changed."""

    reference: MemoryReference
    state: str


@dataclass(frozen=True, slots=True)
class Branch:
    """A new run that left from a node. `inherited` lists what it took over, `left_out` what was no longer valid."""

    node: Node
    run: Run
    source_id: str
    inherited: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    def to_json(self) -> dict[str, Any]:
        """The branch marker, with the run and what it took over."""
        return {
            **self.node.to_json(),
            "source_id": self.source_id,
            "run": to_json(self.run),
            "inherited": list(self.inherited),
            "left_out": to_json(self.left_out),
            "not_inherited": list(NEVER_INHERITED),
        }


class BranchService:
    """Makes runs from nodes. `mask` hides secrets in what people type."""

    def __init__(self, store: Store, *, mask: Callable[[str], str]) -> None:
        self._store = store
        self._mask = mask

    def leave(self, kind: NodeKind, node_id: str, goal: str, title: str, thread: str, actor: Actor) -> Branch:
        """Begin a run (`fork` or `resume`) at a stored node.

        `goal` and `title` may be "": the source's goal, and a title that tells siblings apart. `thread` makes the run
        that thread's next one. Raises `NotFoundError`, `RefusedError` for what is no stored node or a caller who is no
        operator, `StoreError` for a damaged node; then nothing was written.
        """
        actor.require_operator(f"{kind} a run")
        refuse_projection(node_id)
        require_storable("node", node_id)
        title = self._mask(title_line(title)) if title.strip() else ""
        goal = self._mask(short_text("goal", goal, MAX_GOAL_BYTES)) if goal.strip() else ""
        with self._store.write() as connection:
            source = require_node(connection, node_id)
            now = timestamp(self._store.clock.now())
            instructions = _instructions(connection, source)
            before = runs.find_run(connection, source.run_id) if source.run_id else None
            run = self._run(connection, source, goal or _goal(connection, source, before), actor, now)
            if instructions is not None:
                run = replace(
                    run, target=instructions[0].target_path, revision=1, fingerprint=instructions[0].fingerprint
                )
            elif before is not None:
                run = replace(run, target=before.target)
            number = repository.count_branches(connection, source.tree) + 1
            node = self._marker(kind, source, run, title or one_line(f"{kind} {number}: {run.goal}"))
            self._write(connection, source, run, node, instructions, thread)
            return _branch(connection, node, run, source, now)

    def _run(self, connection: Connection, source: Node, goal: str, actor: Actor, now: str) -> Run:
        owner = workspace(connection, source.workspace_id)
        return Run(
            id=self._store.ids.new("run"),
            mission_id=self._store.ids.new("mis"),
            workspace_id=owner.id,
            workspace=owner.name,
            goal=goal,
            profile=PROFILE,
            target=".",
            state=RunState.CREATED,
            revision=0,
            fingerprint="",
            created_by=actor.name,
            created_at=now,
            updated_at=now,
        )

    def _marker(self, kind: NodeKind, source: Node, run: Run, title: str) -> Node:
        return Node(
            id=self._store.ids.new("nod"),
            kind=kind,
            parent_id=source.id,
            tree=source.tree,
            workspace_id=source.workspace_id,
            run_id=run.id,
            session_id=session_of_run(run.id),
            title=title,
            summary="",
            snapshot=source.snapshot,
            created_by=run.created_by,
            created_at=run.created_at,
        )

    @staticmethod
    def _write(
        connection: Connection,
        source: Node,
        run: Run,
        node: Node,
        instructions: tuple[Instructions, str] | None,
        thread: str,
    ) -> None:
        runs.add_run(connection, run)
        if instructions is not None:
            snapshot, text = instructions
            row = ledger.RevisionRow(
                revision=1,
                fingerprint=snapshot.fingerprint,
                previous_fingerprint="",
                diff=dump_diff(difference(None, snapshot)),
                confirmed_by=run.created_by,
                created_at=run.created_at,
                snapshot=text,
            )
            ledger.append_revision(connection, run.id, row)
        if thread:
            append_run(connection, thread, run.id, run.workspace_id, run.created_at)
        root = workspace(connection, run.workspace_id).root
        seq = own.open_session(connection, run.id, node.title, root, source.snapshot.git.branch, run.created_at)
        compaction = source.snapshot.compaction
        own.inherit(connection, seq, (*((compaction,) if compaction else ()), *source.snapshot.messages))
        repository.add_node(connection, node, repository.pinned_columns(connection, source.id))


def require_node(connection: Connection, node_id: str) -> Node:
    """The node of this id, whole. Raises `NotFoundError` or `StoreError`."""
    node = repository.find_node(connection, node_id)
    if node is None:
        raise NotFoundError(
            f"There is no node {node_id!r}.",
            code="no-node",
            hint="`waybook session tree SESSION` shows the nodes; `waybook session checkpoint` makes one.",
        )
    return node


def _instructions(connection: Connection, source: Node) -> tuple[Instructions, str] | None:
    """What the node's instruction fingerprint stands for, and as it is stored."""
    fingerprint = source.snapshot.instruction_fingerprint
    if not fingerprint:
        return None
    if source.snapshot.instruction_basis is Basis.PINNED:
        text = own.pinned_snapshot(connection, source.run_id, fingerprint)
    else:
        text = repository.kept_instructions(connection, fingerprint)
        # A run that was forked from such a node is pinned to it; its own marker still says where it came from.
        text = text or own.pinned_snapshot(connection, source.run_id, fingerprint)
    if text is None:
        raise StoreError(
            f"The instructions of node {source.id} are not in the store.",
            code="store-damaged",
            hint="Put back a backup of the store, or make another checkpoint.",
        )
    return load_snapshot(text, fingerprint), text


def _goal(connection: Connection, source: Node, before: Run | None) -> str:
    """The goal of the node's run; of an agent's session its title, of one that is gone the node's."""
    if before is not None:
        return before.goal
    session = session_by(connection, id=source.session_id)
    return session.title if session is not None and session.title.strip() else source.title


def _branch(connection: Connection, node: Node, run: Run, source: Node, now: str) -> Branch:
    references = source.snapshot.memories
    states = memory_states(connection, [item.id for item in references])
    judged = [(item, memory_state(item, states.get(item.id), now)) for item in references]
    left_out = tuple(LeftOut(item, state) for item, state in judged if state != "active")
    gone = {f"memory:{item.reference.id}@{item.reference.version}" for item in left_out}
    inherited = tuple(item for item in source.snapshot.inherited if item not in gone)
    return Branch(node, run, source.id, inherited, left_out)
