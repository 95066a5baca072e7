"""From the disk, the unsaved buffers and a pin to a `View`."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from waybook.analysis.late import LateScopes
from waybook.analysis.loading import AgentContext, AgentLoadings, AgentMemory
from waybook.analysis.memory import Look, ScopeMemory
from waybook.analysis.view import Document, Pinned, View
from waybook.analysis.world import world_digest
from waybook.base.errors import DiscoveryError
from waybook.instructions.discover import discover
from waybook.instructions.model import Discovery, Snapshot, SnapshotDiff
from waybook.instructions.stored import difference
from waybook.workspace.agent_files import AgentFiles, listed_agent_files
from waybook.workspace.guard import Guard
from waybook.workspace.near import NearMemory
from waybook.workspace.tree import Listings, WorkspaceTree
from waybook.workspace.walk import Scan, instruction_scopes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from waybook.base.cancel import Progress
    from waybook.workspace.overlay import Buffer

MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
"""Text larger than this is not analysed; discovery refuses it anyhow at 64 KiB."""


class Builder:
    """Makes the views of one workspace and remembers what unchanged scopes answered."""

    def __init__(self, root: str, exclude: tuple[str, ...] = (), agents: AgentContext | None = None) -> None:
        self._root = root
        self._agents = agents or AgentContext()
        self._agent_memory = AgentMemory()
        self._exclude = exclude
        self._memory = ScopeMemory()
        self._buffers: dict[str, Document] = {}
        self._near = NearMemory(root)
        self._listings = Listings()
        self._revisions = count(1)

    def build(
        self,
        *,
        now: str,
        buffers: Mapping[str, Buffer],
        pinned: Pinned | None,
        only: tuple[str, ...] | None,
        progress: Progress,
        late: bool = False,
    ) -> View:
        """The whole workspace, or (`only`) the scopes that govern some workspace-relative directories.

        `late`: nothing is discovered before somebody asks for the scopes, and `world` says what everything looks like.
        """
        guard = Guard(self._root, keep=True)
        with guard:
            scan, others = self._near.look(only) if only is not None else self._everywhere(progress)
            look = self._memory.look(self._root, scan, others.files)
            documents = self._documents(guard, (*_candidates(scan), *others.files), look, buffers)
            late = late and pinned is None and not buffers
            scopes = {} if late else self._answers(guard, scan, look, now, progress)
            world = world_digest(guard, scan, others) if late and not self._exclude else None
            drift = _drift(guard, scopes, pinned, now, whole=only is None)
        return View(
            root=self._root,
            revision=next(self._revisions),
            documents=documents,
            scopes=LateScopes(lambda: self._late(guard, scan, look, now, progress)) if late else scopes,
            links={item.path: item.link_target for item in scan.links},
            agent_links=dict(others.links),
            near_misses=tuple(item.path for item in scan.near_misses),
            pinned=pinned,
            drift=drift,
            tree=WorkspaceTree(self._root, self._exclude, scan if only is None else None, self._listings),
            world=world,
            agents=AgentLoadings(self._root, self._agents, self._agent_memory),
        )

    def _everywhere(self, progress: Progress) -> tuple[Scan, AgentFiles]:
        scan = instruction_scopes(self._root, self._exclude, progress)
        return scan, listed_agent_files(self._root, scan.listings, self._exclude)

    def _late(self, guard: Guard, scan: Scan, look: Look, now: str, progress: Progress) -> dict[str, Discovery]:
        with guard:
            return self._answers(guard, scan, look, now, progress)

    def _answers(self, guard: Guard, scan: Scan, look: Look, now: str, progress: Progress) -> dict[str, Discovery]:
        answers: dict[str, Discovery] = {}
        for done, item in enumerate(scan.scopes):
            if done % 64 == 0:
                progress.step("reading instruction files", done, len(scan.scopes))
            answers[item.scope] = self._memory.recall(item.scope, look) or _answer(guard, item.scope, now)
        self._memory.remember(answers, look)
        return answers

    def _documents(
        self, guard: Guard, paths: Iterable[str], look: Look, buffers: Mapping[str, Buffer]
    ) -> dict[str, Document]:
        """By path: open buffers as they are, other files as the disk has them where they are readable text."""
        documents: dict[str, Document] = {}
        for gone in self._buffers.keys() - buffers.keys():
            del self._buffers[gone]
        for path in paths:
            buffer = buffers.get(path)
            if buffer is not None:
                documents[path] = self._of_buffer(path, buffer)
                continue
            known = self._memory.document(path, look)
            if known is None and (text := _text(guard, path)) is not None:
                known = self._memory.keep(Document(path, text), look)
            if known is not None:
                documents[path] = known
        return documents

    def _of_buffer(self, path: str, buffer: Buffer) -> Document:
        """The document of an open buffer; the one made before while the buffer is the same, with all derived from it."""
        known = self._buffers.get(path)
        if known is None or known.version != buffer.version or known.text != buffer.text:
            known = self._buffers[path] = Document(path, buffer.text, buffer.version)
        return known


def _candidates(scan: Scan) -> Iterable[str]:
    links = {item.path for item in scan.links}
    return (path for item in scan.scopes for path in item.candidates if path not in links)


def _answer(guard: Guard, scope: str, now: str) -> Discovery:
    try:
        return discover(guard, scope or ".", now)
    except DiscoveryError as error:
        return error


def _text(guard: Guard, path: str) -> str | None:
    """A file's text without a byte order mark; None for what is no readable UTF-8 text."""
    directory, _, name = path.rpartition("/")
    try:
        raw = guard.read(directory, name, MAX_DOCUMENT_BYTES)
        return None if raw is None else raw.decode("utf-8").removeprefix("\ufeff")
    except (DiscoveryError, UnicodeDecodeError):
        return None


def _drift(
    guard: Guard, scopes: Mapping[str, Discovery], pinned: Pinned | None, now: str, *, whole: bool
) -> dict[str, SnapshotDiff]:
    """By scope, what separates the pin from the disk. Scopes that are gone show only when the `whole` tree was seen."""
    if pinned is None:
        return {}
    if pinned.against == "run":
        return _run_drift(guard, pinned, now)
    live = {scope: answer for scope, answer in scopes.items() if isinstance(answer, Snapshot)}
    differing = {
        scope: difference(before, snapshot)
        for scope, snapshot in live.items()
        if (before := pinned.snapshots.get(scope)) is None or before.fingerprint != snapshot.fingerprint
    }
    gone = {scope: _gone(snapshot) for scope, snapshot in pinned.snapshots.items() if whole and scope not in scopes}
    return {**differing, **gone}


def _run_drift(guard: Guard, pinned: Pinned, now: str) -> dict[str, SnapshotDiff]:
    """What separates a run's pinned target from the disk, under the nearest directory that gives it instructions."""
    found: dict[str, SnapshotDiff] = {}
    for target, before in pinned.snapshots.items():
        live = _answer(guard, target, now)
        if isinstance(live, Snapshot) and live.fingerprint != before.fingerprint:
            nearest = live.sources or before.sources
            found[nearest[-1].scope if nearest else ""] = difference(before, live)
    return found


def _gone(snapshot: Snapshot) -> SnapshotDiff:
    """The drift of a pinned scope that holds no instruction file any more."""
    removed = tuple(source.path for source in snapshot.sources if source.scope == snapshot.sources[-1].scope)
    return SnapshotDiff(snapshot.fingerprint, "", (), removed, (), order_changed=False, requires_confirmation=True)
