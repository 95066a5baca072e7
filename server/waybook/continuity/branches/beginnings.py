"""The root node of a run: what is known of its beginning, whenever it is asked for first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.continuity import repository
from waybook.continuity.branches.repository import newest_pin
from waybook.continuity.model import Basis, Node, NodeKind, Snapshot, TaskMode
from waybook.continuity.rules import clip
from waybook.continuity.subjects import root_node_of_run
from waybook.sessions.text import MAX_TITLE_BYTES

if TYPE_CHECKING:
    from waybook.continuity.capture.repository import RunFacts
    from waybook.continuity.subjects import Subject
    from waybook.store.store import Connection


def ensure_root(connection: Connection, subject: Subject) -> None:
    """Give a run its root node, unless it has a beginning; runs made before this Waybook get theirs here too.

    The node holds what was so when the run was made: its first pin and its kind of work; no history.
    """
    run = subject.run
    if run is None or repository.has_beginning(connection, run.id):
        return
    fingerprint = newest_pin(connection, run.id, first=True)
    snapshot = Snapshot(
        instruction_fingerprint=fingerprint,
        instruction_basis=Basis.PINNED if fingerprint else Basis.NONE,
        mode=mode_of(run),
    )
    node = Node(
        id=root_node_of_run(run.id),
        kind=NodeKind.ROOT,
        parent_id="",
        tree=subject.session_id,
        workspace_id=run.workspace_id,
        run_id=run.id,
        session_id=subject.session_id,
        title=one_line(run.goal),
        summary="",
        snapshot=snapshot,
        created_by=run.created_by,
        created_at=run.created_at,
    )
    repository.add_node(connection, node, repository.columns_of(connection, snapshot, {}, [""]))


def mode_of(run: RunFacts) -> TaskMode:
    """The kind of work that a run was made for, where its profile's name is one."""
    return TaskMode(run.profile) if run.profile in set(TaskMode) else TaskMode.UNSPECIFIED


def one_line(text: str) -> str:
    """A title from any text: one line of at most 256 bytes, never empty."""
    line = " ".join(text.replace("\0", " ").split()) or "untitled"
    return line if len(line.encode()) <= MAX_TITLE_BYTES else " ".join(clip(line, MAX_TITLE_BYTES).split())
