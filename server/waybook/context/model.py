"""What a model call is made of: messages of a trace, ranks of authority, sections. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

Role = Literal["system", "user", "assistant", "tool"]
Branch = Literal["", "reflection", "knowledge_eval", "compression"]
Kind = Literal["plain", "summary", "context", "skill", "steering"]
"""What a message is beside its role. `context` and `skill`: put there by the framework, as if the model had asked."""

GOAL_TOOL = "goal"
CONTEXT_TOOL = "get_current_context"
SKILL_TOOL = "skill"


class Rank(IntEnum):
    """The order of authority of the continuity protocol; 1 is the highest. No text ever changes a rank."""

    OPERATOR = 1
    POLICY = 2
    CHOICES = 3
    PINNED = 4
    EVIDENCE = 5


RANK_NAMES = {
    Rank.OPERATOR: "system and the operator's current input",
    Rank.POLICY: "safety policy, scope, budget and permissions",
    Rank.CHOICES: "the run's explicit mode and choices",
    Rank.PINNED: "pinned instructions and memory",
    Rank.EVIDENCE: "repository files, history and tool output",
}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call a model asked for; `arguments` is the JSON text as it came. `synthetic`: the framework asked for it."""

    id: str
    name: str
    arguments: str
    synthetic: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a trace. It never changes once it is there.

    `parent_sequence` makes the trace a tree (0: a root). Messages of a side branch carry its type and id. `call_id` is
    that of the call which a tool's message answers. `reasoning`, `display` and `provenance` are never sent to another
    model: its own thoughts, what people see of a merged message, and where the rest of it came from.
    """

    sequence: int
    parent_sequence: int
    id: str
    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    goal_id: str = ""
    branch_type: Branch = ""
    branch_id: str = ""
    kind: Kind = "plain"
    reasoning: str = ""
    display: str = ""
    provenance: str = ""
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class Injected:
    """Where a skill was last given: the result's message id and its sequence."""

    message_id: str
    sequence: int


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a call, or one that was left out and why.

    `text` is what is sent of it; `tokens` its estimated cost. `source` is the id of the record it comes from, with
    `version` and `sha256` of exactly what was taken. `reason` says why it is in, or which rule left it out.
    """

    rank: Rank
    kind: str
    id: str
    title: str
    tokens: int
    included: bool
    reason: str
    version: int = 0
    sha256: str = ""
    text: str = ""

    def to_json(self) -> dict[str, object]:
        """What people and programs are shown: everything but the text."""
        return {
            "rank": int(self.rank),
            "kind": self.kind,
            "id": self.id,
            "title": self.title,
            "tokens": self.tokens,
            "included": self.included,
            "reason": self.reason,
            "version": self.version,
            "sha256": self.sha256,
        }
