"""What a command may ask of the program; `app.App` is the one implementation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.analysis.service import Analysis
    from waybook.base.clock import Clock
    from waybook.base.ids import IdSource
    from waybook.compaction.service import CompactionService
    from waybook.compaction.summariser import Summariser
    from waybook.context.gather import Gatherer
    from waybook.context.limits import Policy
    from waybook.context.service import ContextService
    from waybook.context.sizes import Sizes
    from waybook.continuity.browse.service import BrowseService
    from waybook.continuity.service import ContinuityService
    from waybook.instructions.baseline import BaselineService
    from waybook.instructions.ledger import LedgerService
    from waybook.instructions.model import Snapshot
    from waybook.memory.candidates.service import CandidateService
    from waybook.memory.search_service import SearchService
    from waybook.memory.service import MemoryService
    from waybook.pins.proposals import ProposalService
    from waybook.pins.service import PinService
    from waybook.recall.index.service import SessionIndex
    from waybook.recall.service import RecallService
    from waybook.recall.specialist import SpecialistService
    from waybook.references.service import ReferenceService
    from waybook.sessions.notes.service import NoteService
    from waybook.sessions.progress.service import ProgressService
    from waybook.sessions.service import RunService
    from waybook.sessions.threads.service import ThreadService
    from waybook.sessions.transcripts.desk import SessionDesk
    from waybook.settings import Resolved
    from waybook.store.store import Store
    from waybook.tasks.service import TaskService
    from waybook.tokens.counter import Counter
    from waybook.workspace.locate import Located


class Services(Protocol):
    """The program as commands see it. Everything is made on first use; nothing here touches the store unless asked."""

    @property
    def clock(self) -> Clock:
        """The clock."""
        ...

    @property
    def ids(self) -> IdSource:
        """The maker of identifiers."""
        ...

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment."""
        ...

    @property
    def cwd(self) -> str:
        """The directory that what a person types is relative to."""
        ...

    def tokens(self, root: str = "") -> Counter:
        """The token counter of the vocabulary that a workspace's settings name; loads on first use."""
        ...

    def locate(self, workspace: str = "", near: str = "") -> Located:
        """The workspace a person names (a directory or a registered name), or the one around `near`.

        `near` defaults to the current directory. Raises `NotFoundError` or `DiscoveryError`.
        """
        ...

    def aim(self, target: str, workspace: str = "") -> tuple[Located, str]:
        """The workspace and the workspace-relative target that a person means."""
        ...

    def discover(self, root: str, target: str) -> Snapshot:
        """A fresh snapshot of one target, for services that compare it with a pin."""
        ...

    def settings(self, root: str = "") -> Resolved:
        """The settings in force for a workspace root ("" for none), with their origins and warnings."""
        ...

    def analysis(self, root: str) -> Analysis:
        """The analysis of one workspace; the same object for the same root as long as the program runs."""
        ...

    def store(self) -> Store:
        """The database, opened (and migrated) on first use."""
        ...

    def runs(self) -> RunService:
        """Workspaces, missions and runs."""
        ...

    def ledger(self) -> LedgerService:
        """The revisions a run is pinned to."""
        ...

    def baselines(self) -> BaselineService:
        """The baselines of workspaces."""
        ...

    def threads(self) -> ThreadService:
        """Threads and their chains of runs."""
        ...

    def notes(self) -> NoteService:
        """Notes."""
        ...

    def progress(self) -> ProgressService:
        """Run states and completions."""
        ...

    def candidates(self) -> CandidateService:
        """Candidates for memory."""
        ...

    def pins(self) -> PinService:
        """What threads always keep."""
        ...

    def proposals(self) -> ProposalService:
        """Proposals to pin."""
        ...

    def memory(self) -> MemoryService:
        """Long-term memory."""
        ...

    def memory_search(self) -> SearchService:
        """Search in long-term memory."""
        ...

    def references(self) -> ReferenceService:
        """References to other sessions."""
        ...

    def continuity(self) -> ContinuityService:
        """Checkpoints, forks and resumes."""
        ...

    def browse(self) -> BrowseService:
        """Trees, comparisons and handoffs."""
        ...

    def recall(self) -> RecallService:
        """What runs may recall."""
        ...

    def session_index(self) -> SessionIndex:
        """The full-text index over imported sessions."""
        ...

    def specialist_results(self) -> SpecialistService:
        """Finished results of sub-agents."""
        ...

    def compaction(self) -> CompactionService:
        """Summaries in the place of older messages."""
        ...

    def summariser(self, name: str = "") -> Summariser:
        """The summariser of this name, or of the settings. Raises `UsageError` for an unknown one."""
        ...

    def sessions(self, home: str = "") -> SessionDesk:
        """Sessions of real agents, kept and in their folders; below another home directory where one is named."""
        ...

    def contexts(self) -> ContextService:
        """Traces, goal trees and audits."""
        ...

    def tasks(self) -> TaskService:
        """Contracts of recursive tasks."""
        ...

    def gatherer(self) -> Gatherer:
        """What calls are made of, read anew each time."""
        ...

    def sizes(self, root: str = "") -> Sizes:
        """What messages and parts cost; keeps its counts."""
        ...

    def context_policy(self, root: str = "", window: int = 0) -> Policy:
        """How contexts are kept, by the settings; `window` 0 means theirs."""
        ...
