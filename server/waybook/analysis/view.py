"""One workspace at one revision: documents, the answer of every scope, pins and drift. Immutable; made by `build.py`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

from waybook.analysis.loading import AgentContext, AgentLoadings
from waybook.base.canonical import sha256_hex
from waybook.base.errors import DiscoveryError
from waybook.base.text import LineIndex
from waybook.instructions.model import Discovery, Snapshot, SnapshotDiff

if TYPE_CHECKING:
    from collections.abc import Mapping


class Document:
    """An instruction file's text as people see it: the unsaved buffer where one is open, else the disk's.

    `path` is workspace-relative; `version` is the editor's, None for a closed file; `text` is undamaged text as an
    editor shows it (no BOM, line ends as they are).
    """

    def __init__(self, path: str, text: str, version: int | None = None) -> None:
        self.path = path
        self.text = text
        self.version = version

    @cached_property
    def lines(self) -> LineIndex:
        """Where its lines begin."""
        return LineIndex(self.text)

    @cached_property
    def sha256(self) -> str:
        """The digest of the text as it stands, the key of every cache about it."""
        return sha256_hex(self.text)

    def __repr__(self) -> str:
        return f"Document({self.path!r}, version={self.version}, {len(self.text)} characters)"


class Tree(Protocol):
    """The workspace's files by name, for checks that ask whether a path exists. Memoised for one view.

    Paths are workspace-relative with slashes, "" is the root; links are followed only as far as "it exists".
    """

    def exists(self, path: str) -> bool:
        """Whether a file or directory of this path is there."""
        ...

    def is_dir(self, path: str) -> bool:
        """Whether it is a directory."""
        ...

    def names(self, directory: str) -> tuple[str, ...]:
        """The sorted names in a directory; empty when it cannot be listed."""
        ...

    def find(self, name: str) -> tuple[str, ...]:
        """Every path in the workspace whose base name this is, sorted; ignored and vendored directories left out."""
        ...

    def matches(self, pattern: str) -> bool:
        """Whether a glob (`*`, `?`, `[...]`, `{a,b}`, `**` across directories) matches a file of the workspace."""
        ...


@dataclass(frozen=True, slots=True)
class Pinned:
    """What drift is measured against: the newest baseline, or one run's pin.

    `snapshots` maps a scope (baseline) or a target (run) to its pinned snapshot; `revision` counts from 1.
    """

    against: Literal["baseline", "run"]
    id: str
    revision: int
    pinned_at: str
    pinned_by: str
    snapshots: Mapping[str, Snapshot]


@dataclass(frozen=True)
class View:
    """Everything checks and editor answers may look at.

    `documents`: by path, every instruction file with readable text, those of single agents too (see
    `workspace/agent_files.py`); links and refused files are not among them;
    `scopes`: for each directory that holds an instruction file ("" is the root), its snapshot or the error that refused
    it; `links`: symlinked files that the .prayu profile knows, path -> link text, `agent_links` those of single agents;
    `near_misses`: files whose name differs from an instruction file's only by case; `drift`: by scope, the pinned snapshot against the live one;
    `tree`: the workspace's files by name; `world`: a digest of every name and every instruction file's bytes, None where
    it was not asked for; `agents`: what the agents in use load (by default none is in use).
    """

    root: str
    revision: int
    documents: Mapping[str, Document]
    scopes: Mapping[str, Discovery]
    links: Mapping[str, str]
    near_misses: tuple[str, ...]
    pinned: Pinned | None
    drift: Mapping[str, SnapshotDiff]
    tree: Tree
    world: str | None = None
    agent_links: Mapping[str, str] = field(default_factory=dict)
    agents: AgentLoadings = field(default_factory=lambda: AgentLoadings("/nonexistent", AgentContext()))

    @cached_property
    def snapshots(self) -> Mapping[str, Snapshot]:
        """The scopes that answered."""
        return {scope: answer for scope, answer in self.scopes.items() if isinstance(answer, Snapshot)}

    @cached_property
    def refusals(self) -> Mapping[str, DiscoveryError]:
        """The scopes whose discovery was refused."""
        return {scope: answer for scope, answer in self.scopes.items() if isinstance(answer, DiscoveryError)}

    def scope_of(self, path: str) -> str | None:
        """The nearest scope that governs a workspace-relative path; None when no instruction file applies."""
        directory = path if path in self.scopes else path.rpartition("/")[0]
        while True:
            if directory in self.scopes:
                return directory
            if not directory:
                return None
            directory = directory.rpartition("/")[0]
