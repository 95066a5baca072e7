"""Records of threads. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Thread:
    """A lasting conversation in one workspace. `runs`: how many are in its chain; `pins`: how many it keeps.

    A closed thread stays readable and takes nothing new: no runs, notes, pins or answers.
    """

    id: str
    workspace_id: str
    workspace: str
    title: str
    state: Literal["open", "closed"]
    runs: int
    pins: int
    version: int
    created_by: str
    updated_by: str
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class ChainedRun:
    """One run of a thread; `sequence` counts from 1, and each run is the successor of the one before."""

    sequence: int
    run_id: str
    state: str
    goal: str
    created_at: str
