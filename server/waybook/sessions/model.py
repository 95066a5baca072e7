"""Records of workspaces, missions and runs. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RunState(StrEnum):
    """Where a run stands; only `created` is reached here, the other states belong to whoever executes it."""

    CREATED = "created"
    RUNNING = "running"
    WAITING_INPUT = "waiting_input"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A registered workspace: its absolute root, and a short unique name for people to type."""

    id: str
    root: str
    name: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Run:
    """One execution of a mission in a workspace.

    `revision` and `fingerprint` say which instructions it is pinned to; 0 and "" for a run without a pin.
    """

    id: str
    mission_id: str
    workspace_id: str
    workspace: str
    goal: str
    profile: str
    target: str
    state: RunState
    revision: int
    fingerprint: str
    created_by: str
    created_at: str
    updated_at: str
