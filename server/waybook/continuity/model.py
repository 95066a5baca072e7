"""Records of continuity: `continuity_snapshot.v1`, `session_continuity_node.v1`. No input or output here.

No field of these records can hold an approval, a grant, a credential, a lease, an authorisation, a process or a profile.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from waybook.base.canonical import digest
from waybook.base.records import to_json
from waybook.workspace.git import GitIdentity

if TYPE_CHECKING:
    from collections.abc import Iterator

SNAPSHOT_PROTOCOL = "continuity_snapshot.v1"
NODE_PROTOCOL = "session_continuity_node.v1"
MAX_MESSAGES = 20
MAX_MESSAGE_BYTES = 4 * 1024
MAX_SUMMARY_BYTES = 16 * 1024
MAX_MEMORIES = 200
MAX_ITEMS = 256
MAX_BUDGET = 1_000_000_000
NEVER_INHERITED = (
    "approvals",
    "capability_grants",
    "credentials",
    "debug_sessions",
    "execution_leases",
    "execution_profiles",
    "network_authorization",
    "processes",
    "terminal_leases",
)
"""What a new run has to be given anew, whatever its source had (continuity_snapshot.v1)."""
_SHA = re.compile(r"[0-9a-f]{64}")
_MEMORY_ID = re.compile(r"[a-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Authority:
    """What a snapshot may do. There is no way to make one that grants anything."""

    def to_json(self) -> dict[str, bool]:
        """Every grant, each false."""
        return dict.fromkeys(NEVER_INHERITED, False)


NOTHING = Authority()


class NodeKind(StrEnum):
    """`root`: a run's beginning; `fork` and `resume` are the beginnings of runs that left from another node."""

    ROOT = "root"
    CHECKPOINT = "checkpoint"
    FORK = "fork"
    RESUME = "resume"


class TaskMode(StrEnum):
    """What kind of work a task is. Not a permission mode: what a run may do is never written here."""

    UNSPECIFIED = ""
    RESEARCH = "research"
    PLAN = "plan"
    CODE = "code"
    REVIEW = "review"


class PieceKind(StrEnum):
    """What a message is: a person's prompt, the agent's answer, or the summary of a compaction."""

    PROMPT = "prompt"
    ANSWER = "answer"
    SUMMARY = "summary"


class Basis(StrEnum):
    """Where an instruction fingerprint comes from: a run's pin, the disk at that moment, or nowhere."""

    NONE = "none"
    PINNED = "pinned"
    LIVE = "live"


@dataclass(frozen=True, slots=True)
class Piece:
    """One message of a snapshot, redacted and bounded. `session_id` and `key` say where it was said; `at` is a time.

    Text that was cut says so itself, with the bytes left out.
    """

    session_id: str
    key: str
    role: str
    kind: PieceKind
    text: str
    at: str = ""

    def __post_init__(self) -> None:
        limit = MAX_SUMMARY_BYTES if self.kind is PieceKind.SUMMARY else MAX_MESSAGE_BYTES
        if self.role not in {"user", "assistant", "system"} or not isinstance(self.kind, PieceKind):
            raise ValueError("a piece is a prompt, an answer or a summary")
        if len(self.text.encode()) > limit or "\0" in self.text:
            raise ValueError(f"a {self.kind} has at most {limit} bytes and no NUL")


@dataclass(frozen=True, slots=True)
class Captured:
    """A piece and its origin: the SHA-256 of where and how it was said, before redaction and cutting.

    `seq` is its row number where it is stored already, else 0.
    """

    origin: str
    piece: Piece
    seq: int = 0


@dataclass(frozen=True, slots=True)
class MemoryReference:
    """A memory as it was: which one, of which version; its text stays in the memory alone."""

    id: str
    scope: str
    version: int
    sha256: str

    def __post_init__(self) -> None:
        if self.scope not in {"user", "project"} or type(self.version) is not int or self.version < 1:
            raise ValueError("a memory reference names a scope and a version")
        if not _MEMORY_ID.fullmatch(self.id) or not _SHA.fullmatch(self.sha256):
            raise ValueError("a memory reference names an id and a SHA-256")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a node keeps. Raises `ValueError` for anything beyond the bounds of `continuity_snapshot.v1`.

    `config_fingerprint` is a SHA-256 of the workspace's own settings, `instruction_fingerprint` that of the instructions;
    both are empty where there are none. `budget_tokens` 0 means none was set.
    """

    compaction: Piece | None = None
    messages: tuple[Piece, ...] = ()
    memories: tuple[MemoryReference, ...] = ()
    config_fingerprint: str = ""
    instruction_fingerprint: str = ""
    instruction_basis: Basis = Basis.NONE
    git: GitIdentity = field(default_factory=lambda: GitIdentity("none"))
    mode: TaskMode = TaskMode.UNSPECIFIED
    budget_tokens: int = 0
    authority: Authority = NOTHING

    def __post_init__(self) -> None:
        for name, kind in _TYPES.items():
            if type(getattr(self, name)) is not kind:
                raise ValueError(f"{name} is no {kind.__name__}")
        for holds, rule in self._rules():
            if not holds:
                raise ValueError(rule)

    def _rules(self) -> Iterator[tuple[bool, str]]:
        summaries = PieceKind.SUMMARY
        yield self.compaction is None or self.compaction.kind is summaries, "the compaction is a summary"
        few = len(self.messages) <= MAX_MESSAGES and all(item.kind is not summaries for item in self.messages)
        yield few, f"a snapshot has at most {MAX_MESSAGES} prompts and answers"
        sorted_once = list(self.memories) == sorted(set(self.memories), key=_memory_order)
        yield len(self.memories) <= MAX_MEMORIES and sorted_once, f"{MAX_MEMORIES} memory references, sorted, each once"
        for name in ("config_fingerprint", "instruction_fingerprint"):
            yield not getattr(self, name) or bool(_SHA.fullmatch(getattr(self, name))), f"{name} is a SHA-256"
        known = (self.instruction_basis is Basis.NONE) == (not self.instruction_fingerprint)
        yield known, "instructions have a fingerprint and a basis, or neither"
        yield 0 <= self.budget_tokens <= MAX_BUDGET, f"a budget has 0 to {MAX_BUDGET} tokens"
        yield self.authority.to_json() == NOTHING.to_json(), "a snapshot grants nothing"

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of what the snapshot means: everything but times, and how it came to be known."""
        return digest(
            {
                "protocol": SNAPSHOT_PROTOCOL,
                "compaction": None if self.compaction is None else _meaning(self.compaction),
                "messages": [_meaning(piece) for piece in self.messages],
                "memories": [reference_json(item) for item in self.memories],
                "config": self.config_fingerprint,
                "instructions": self.instruction_fingerprint,
                "git": [getattr(self.git, name) for name in GIT_MEANING],
                "mode": self.mode.value,
                "budget_tokens": self.budget_tokens,
            }
        )

    @property
    def inherited(self) -> tuple[str, ...]:
        """What a fork takes over, item by item: sorted, each once, at most 256."""
        items = {f"memory:{item.id}@{item.version}" for item in self.memories}
        items |= {f"message:{piece.session_id}/{piece.key}" for piece in self.messages}
        items |= {
            f"{name}:{value}"
            for name, value in (
                ("budget", str(self.budget_tokens or "")),
                (
                    "compaction",
                    "" if self.compaction is None else f"{self.compaction.session_id}/{self.compaction.key}",
                ),
                ("config", self.config_fingerprint),
                ("instructions", self.instruction_fingerprint),
                ("mode", self.mode.value),
            )
            if value
        }
        return tuple(sorted(items))

    def to_json(self) -> dict[str, Any]:
        """The snapshot with its protocol, its fingerprint, and what it is not."""
        return {
            "protocol": SNAPSHOT_PROTOCOL,
            "fingerprint": self.fingerprint,
            **{item.name: to_json(getattr(self, item.name)) for item in fields(self)},
            "inherited": list(self.inherited),
            "not_inherited": list(NEVER_INHERITED),
        }


GIT_MEANING = ("state", "branch", "head", "dirty", "worktree", "detached")
_TYPES: dict[str, type] = {
    "messages": tuple,
    "memories": tuple,
    "config_fingerprint": str,
    "instruction_fingerprint": str,
    "instruction_basis": Basis,
    "git": GitIdentity,
    "mode": TaskMode,
    "budget_tokens": int,
    "authority": Authority,
}


def _memory_order(item: MemoryReference) -> tuple[bool, str, int]:
    return (item.scope != "user", item.id, item.version)


def _meaning(piece: Piece) -> list[str]:
    return [piece.session_id, piece.key, piece.role, piece.kind.value, piece.text]


def reference_json(item: MemoryReference) -> list[str | int]:
    """A memory reference as it is stored and hashed."""
    return [item.id, item.scope, item.version, item.sha256]


@dataclass(frozen=True, slots=True)
class Node:
    """A stored node. `run_id` is "" for a checkpoint of a session that no run of Waybook's made; `parent_id` "" for none.

    A `fork` or `resume` node pins its parent's snapshot to the run that it begins.
    """

    id: str
    kind: NodeKind
    parent_id: str
    tree: str
    workspace_id: str
    run_id: str
    session_id: str
    title: str
    summary: str
    snapshot: Snapshot
    created_by: str
    created_at: str

    def to_json(self) -> dict[str, Any]:
        """The node with its protocol in front."""
        body = {item.name: to_json(getattr(self, item.name)) for item in fields(self)}
        return {"protocol": NODE_PROTOCOL, "authoritative": True, **body}
