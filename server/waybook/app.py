"""The only wiring: environment and options become settings, store, analyses and services, each on first use."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from waybook.analysis.loading import AgentContext
from waybook.analysis.service import Analysis
from waybook.base.clock import Clock, SystemClock
from waybook.base.errors import NotFoundError
from waybook.base.ids import IdSource, SystemIds
from waybook.settings import Resolved, from_environment, resolve
from waybook.workspace.locate import Locator, current_directory
from waybook.workspace.settings_file import read_settings_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.analysis.view import Pinned
    from waybook.compaction.editor_model import Ask
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
    from waybook.store.paths import Location
    from waybook.store.store import Store
    from waybook.tasks.service import TaskService
    from waybook.tokens.counter import Counter
    from waybook.workspace.locate import Located


class App:
    """The program: one per process. Implements `commands.services.Services`.

    `options` are settings layers above the environment (name, options), weakest first: what the editor or the command
    line sent.
    """

    def __init__(
        self,
        *,
        environ: Mapping[str, str] | None = None,
        options: tuple[tuple[str, Mapping[str, Any]], ...] = (),
        clock: Clock | None = None,
        ids: IdSource | None = None,
        cwd: str | None = None,
    ) -> None:
        self.environ: Mapping[str, str] = os.environ if environ is None else environ
        self.clock: Clock = clock or SystemClock()
        self.ids: IdSource = ids or SystemIds(self.clock)
        self.cwd = cwd or current_directory()
        self._locator = Locator(self.cwd, lambda name: self.runs().workspace(name).root)
        self._options = options
        self._analyses: dict[str, Analysis] = {}
        self._settings: dict[str, Resolved] = {}
        self._store: Store | None = None
        self._search: SearchService | None = None
        self._index: SessionIndex | None = None
        self._counters: dict[tuple[str, bool], Counter] = {}
        self._sizes: dict[str, Sizes] = {}
        self._lock = threading.RLock()
        self.ask_editor: Ask | None = None
        """Asks the editor's own model for a summary; set by the language server where the editor offers one."""

    # --- settings and workspaces --------------------------------------------------------------------------------------

    def settings(self, root: str = "") -> Resolved:
        """The settings in force for a workspace root ("" for none)."""
        found = self._settings.get(root)
        if found is None:
            options, warnings = read_settings_file(root) if root else ({}, ())
            found = resolve(("waybook.toml", options), ("environment", from_environment(self.environ)), *self._options)
            if warnings:
                found = Resolved(found.settings, found.origin, (*warnings, *found.warnings))
            self._settings[root] = found
        return found

    def set_options(self, *layers: tuple[str, Mapping[str, Any]]) -> None:
        """Replace the layers above the environment: the editor's settings changed."""
        with self._lock:
            self._options = layers
            self._settings.clear()
            self._analyses = {root: self._renewed(root, old) for root, old in self._analyses.items()}

    def locate(self, workspace: str = "", near: str = "") -> Located:
        """The workspace a person names, or the one around `near` (default: the current directory)."""
        return self._locator.locate(workspace, near)

    def aim(self, target: str, workspace: str = "") -> tuple[Located, str]:
        """A workspace and a target inside it, from what a person typed."""
        return self._locator.aim(target, workspace)

    def tokens(self, root: str = "") -> Counter:
        """The token counter of the vocabulary that a workspace's settings name."""
        from waybook.tokens import Counter

        settings = self.settings(root).settings
        key = (settings.tokens_encoding, settings.tokens_download)
        with self._lock:
            if key not in self._counters:
                self._counters[key] = Counter(key[0], allow_download=key[1])
            return self._counters[key]

    # --- subsystems ---------------------------------------------------------------------------------------------------

    def analysis(self, root: str) -> Analysis:
        """The analysis of one workspace; the same object for the same root."""
        with self._lock:
            found = self._analyses.get(root)
            if found is None:
                found = self._analyses[root] = self._new_analysis(root)
            return found

    def _new_analysis(self, root: str) -> Analysis:
        settings = self.settings(root).settings
        agents = AgentContext(self.environ.get("HOME", "/nonexistent"), self.environ, settings.agents)
        return Analysis(root, self.clock, lambda: self._pinned(root), settings.exclude, agents)

    def _renewed(self, root: str, old: Analysis) -> Analysis:
        renewed = self._new_analysis(root)
        renewed.overlay = old.overlay
        return renewed

    def discover(self, root: str, target: str) -> Snapshot:
        """A fresh snapshot of one target, for services that compare it with a pin."""
        return self.analysis(root).discover(target)

    def store(self) -> Store:
        """The database, opened (and migrated) on first use."""
        with self._lock:
            if self._store is None:
                from waybook.store.store import Store

                self._store = Store.open(self._location(), clock=self.clock, ids=self.ids)
            return self._store

    def _location(self) -> Location:
        from waybook.store.paths import locate

        settings = self.settings().settings
        return locate(settings.store, settings.data_dir)

    def runs(self) -> RunService:
        """Missions and runs."""
        from waybook.sessions.service import RunService

        return RunService(self.store(), mask=_mask)

    def ledger(self) -> LedgerService:
        """The revisions a run is pinned to."""
        from waybook.instructions.ledger import LedgerService

        return LedgerService(self.store(), mask=_mask)

    def baselines(self) -> BaselineService:
        """The baselines of workspaces."""
        from waybook.instructions.baseline import BaselineService

        return BaselineService(self.store(), mask=_mask)

    def threads(self) -> ThreadService:
        """Threads and their chains of runs."""
        from waybook.sessions.threads.service import ThreadService

        return ThreadService(self.store())

    def notes(self) -> NoteService:
        """Notes."""
        from waybook.sessions.notes.service import NoteService

        return NoteService(self.store())

    def progress(self) -> ProgressService:
        """Run states and completions."""
        from waybook.sessions.progress.service import ProgressService

        return ProgressService(self.store())

    def candidates(self) -> CandidateService:
        """Candidates for memory."""
        from waybook.memory.candidates.service import CandidateService

        return CandidateService(self.store(), self.memory())

    def pins(self) -> PinService:
        """What threads always keep."""
        from waybook.pins.service import PinService

        return PinService(self.store())

    def proposals(self) -> ProposalService:
        """Proposals to pin."""
        from waybook.pins.proposals import ProposalService

        return ProposalService(self.store())

    def memory(self) -> MemoryService:
        """Long-term memory."""
        from waybook.memory.service import MemoryService

        return MemoryService(self.store())

    def memory_search(self) -> SearchService:
        """Search in long-term memory; the same object each time, since it keeps what it read."""
        with self._lock:
            if self._search is None:
                from waybook.memory.search_service import SearchService

                self._search = SearchService(self.store())
            return self._search

    def references(self) -> ReferenceService:
        """References to other sessions."""
        from waybook.references.service import ReferenceService
        from waybook.references.source import Sources

        if self._store is None and not os.path.lexists(self._location().path):
            return ReferenceService(Sources(()), mask=_mask)  # asking makes no database
        from waybook.references.stored import StoredSessions

        return ReferenceService(StoredSessions(self.store()), mask=_mask)

    def continuity(self) -> ContinuityService:
        """Checkpoints, forks and resumes."""
        from waybook.continuity.service import ContinuityService

        return ContinuityService(self.store(), mask=_mask, discover=self.discover)

    def browse(self) -> BrowseService:
        """Trees, comparisons and handoffs."""
        from waybook.continuity.browse.service import BrowseService

        return BrowseService(self.store())

    def recall(self) -> RecallService:
        """What runs may recall."""
        from waybook.recall.service import RecallService

        return RecallService(self.store())

    def session_index(self) -> SessionIndex:
        """The full-text index over imported sessions; the same object each time, since one updates at a time."""
        with self._lock:
            if self._index is None:
                from waybook.checks.kept_place import cache_directory
                from waybook.recall.index.service import SessionIndex

                folder = os.path.join(cache_directory(self.settings().settings), "search")
                self._index = SessionIndex(self.store(), folder)
            return self._index

    def specialist_results(self) -> SpecialistService:
        """Finished results of sub-agents."""
        from waybook.recall.specialist import SpecialistService

        return SpecialistService(self.store())

    def compaction(self) -> CompactionService:
        """Summaries in the place of older messages."""
        from waybook.compaction.service import CompactionService
        from waybook.compaction.window import counting

        return CompactionService(self.store(), _mask, counting(self.tokens().count))

    def summariser(self, name: str = "") -> Summariser:
        """The summariser of this name, or of the settings. What a workspace's own file says never counts here."""
        from waybook.compaction.choice import choose

        return choose(name, self.settings().settings, self.environ, self.ask_editor)

    def contexts(self) -> ContextService:
        """Traces, goal trees and audits."""
        from waybook.context.service import ContextService

        return ContextService(self.store(), mask=_mask)

    def tasks(self) -> TaskService:
        """Contracts of recursive tasks."""
        from waybook.tasks.service import TaskService

        return TaskService(self.store(), self.contexts(), mask=_mask)

    def gatherer(self) -> Gatherer:
        """What calls are made of."""
        from waybook.context.gather import Gatherer, Rooms

        return Gatherer(
            Rooms(
                store=self.store(),
                runs=self.runs(),
                threads=self.threads(),
                notes=self.notes(),
                memory=self.memory(),
                pins=self.pins(),
                ledger=self.ledger(),
                compaction=self.compaction(),
                contexts=self.contexts(),
                discover=self.discover,
            )
        )

    def sizes(self, root: str = "") -> Sizes:
        """What messages and parts cost, by the vocabulary of the settings; the same object for the same vocabulary."""
        from waybook.context.sizes import Sizes, by_bytes

        counter = self.tokens(root)
        with self._lock:
            if counter.encoding not in self._sizes:

                def count(text: str) -> int:
                    found = counter.count(text)
                    return by_bytes(text) if found is None else found

                self._sizes[counter.encoding] = Sizes(count)
            return self._sizes[counter.encoding]

    def context_policy(self, root: str = "", window: int = 0) -> Policy:
        """How contexts are kept, by the settings of a workspace."""
        from waybook.context.limits import Policy

        settings = self.settings(root).settings
        return Policy(
            window=window or settings.context_window,
            threshold=min(settings.context_threshold, 100) / 100,
            goal_compression=settings.context_goal_compression,  # type: ignore[arg-type]  # one of three, as checked
            interval=settings.context_interval,
        )

    def sessions(self, home: str = "") -> SessionDesk:
        """Sessions of real agents. A named home is taken alone: the environment speaks of this person's own."""
        from waybook.sessions.messages.service import MessageService
        from waybook.sessions.transcripts.desk import SessionDesk
        from waybook.sessions.transcripts.readers.model import Places

        if home and not os.path.isdir(os.path.join(self.cwd, home)):
            raise NotFoundError(
                f"{home} is no directory.", code="no-home", path=home, hint="Name an existing home directory."
            )
        own = self.environ.get("HOME") or self.environ.get("USERPROFILE") or "/nonexistent"
        places = Places(os.path.abspath(os.path.join(self.cwd, home))) if home else Places(own, self.environ)
        below = places.home if home else ""
        return SessionDesk(self.store(), MessageService(self.store()), places, _mask, below)

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = self._search = self._index = None

    def _pinned(self, root: str) -> Pinned | None:
        """What drift in a workspace is measured against, by the settings; None when nothing is pinned."""
        from waybook.analysis.selected import selected
        from waybook.store.peek import may_know

        if self._store is None and not may_know(self._location(), root):
            return None  # asking makes no database
        return selected(root, self.settings(root).settings, self.runs(), self.ledger(), self.baselines())


def _mask(text: str) -> str:
    """Secrets that the protocol's redaction does not know are hidden in what is stored."""
    from waybook.secrets import redact

    return redact(text).text
