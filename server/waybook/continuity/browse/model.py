"""Records of the tree (`session_tree.v1`) and of a comparison. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from waybook.base.records import to_json

if TYPE_CHECKING:
    from waybook.continuity.model import Node
    from waybook.workspace.git import GitIdentity

TREE_PROTOCOL = "session_tree.v1"


@dataclass(frozen=True, slots=True)
class Mark:
    """What a node remembers that is no longer so.

    `kind` memory: `subject` is the memory's id, `state` deleted, disabled, expired or changed, `before` its version then.
    git: `subject` is branch, head or repository, `state` changed or gone. session: deleted. parent: missing.
    """

    kind: str
    subject: str
    state: str
    before: str = ""
    now: str = ""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node as the tree shows it, without texts. `authoritative` ones are stored and may be forked; others may not.

    `kind`: root, checkpoint, fork, resume; or session (an agent's, which has no node of its own), compaction, note,
    delivery. `status` is the run's state. `messages` and `memories` count what the snapshot holds.
    """

    id: str
    kind: str
    parent_id: str
    run_id: str
    session_id: str
    title: str
    authoritative: bool
    created_at: str
    created_by: str = ""
    summary: str = ""
    status: str = ""
    fingerprint: str = ""
    config_fingerprint: str = ""
    instruction_fingerprint: str = ""
    messages: int = 0
    memories: int = 0
    compacted: bool = False
    git: GitIdentity | None = None
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeSession:
    """A session of the tree: the node it begins with, the node it left from (""), and its messages of its own and taken over.

    `state`: present, silent (a run that has said nothing), or deleted.
    """

    session_id: str
    run_id: str
    agent: str
    title: str
    first_node: str
    parent_node: str
    parent_session: str
    messages: int
    inherited: int
    state: str


@dataclass(frozen=True, slots=True)
class Tree:
    """Everything that hangs together with a session. Parents stand before their children."""

    session_id: str
    run_id: str
    root: str
    nodes: tuple[TreeNode, ...]
    sessions: tuple[TreeSession, ...]

    def to_json(self) -> dict[str, Any]:
        """The tree with its protocol in front."""
        return {"protocol": TREE_PROTOCOL, **{item.name: to_json(getattr(self, item.name)) for item in fields(self)}}


@dataclass(frozen=True, slots=True)
class Compared:
    """One thing of two nodes."""

    name: str
    a: str
    b: str
    same: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two nodes side by side. `memories_*` and `messages_*` tell what only one of them holds, by id and by place."""

    a: Node
    b: Node
    same: bool
    fields: tuple[Compared, ...]
    memories_only_a: tuple[str, ...]
    memories_only_b: tuple[str, ...]
    messages_shared: int
    messages_only_a: tuple[str, ...]
    messages_only_b: tuple[str, ...]
