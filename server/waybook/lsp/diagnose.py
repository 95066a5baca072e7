"""When findings are computed and told: open documents first and at once, whole workspaces behind, never out of date."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from waybook.base.cancel import Progress
from waybook.base.uris import uri_key
from waybook.checks.run import Selection
from waybook.lsp.capabilities import GRACE_SECONDS, pulls
from waybook.lsp.convert import Findings
from waybook.lsp.examine import SLOW_SECONDS, DocumentExamination, Examined, examine_workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsprotocol import types

    from waybook.analysis.findings import Finding
    from waybook.analysis.view import View
    from waybook.lsp.documents import OpenDocument
    from waybook.lsp.folders import Folder
    from waybook.lsp.language_server import Place, Server
    from waybook.lsp.publish import Publisher
    from waybook.lsp.reuse import Reuse as Kept

log = logging.getLogger(__name__)

LOOKS = 3
"""Looks that somebody who asks for the newest findings waits for, at most."""
QUIET_SECONDS = 0.1
"""Events about the disk are gathered until this long passes without one ..."""
LONGEST_SECONDS = 1.0
"""... or this long since the first, so that a storm neither floods nor starves."""


@dataclass(slots=True)
class Known:
    """The newest findings of a file with the view they were made from: what code actions are offered for."""

    view: View
    findings: Sequence[Finding]
    version: int | None


@dataclass(frozen=True, slots=True)
class Looked:
    """One look at a document: what was found in which view, and the same for the protocol."""

    view: View
    findings: Sequence[Finding]
    items: list[types.Diagnostic]


@dataclass(slots=True)
class Diagnoser:
    """Schedules examinations and hands their results to the publisher. Touched by the event loop only."""

    ls: Server
    publisher: Publisher
    workspaces: dict[str, Examined] = field(default_factory=dict)
    known: dict[str, Known] = field(default_factory=dict)
    reuse: dict[str, Kept] = field(default_factory=dict)
    pulled_documents: bool = False
    pulled_workspace: bool = False
    _states: dict[str, object] = field(default_factory=dict)

    # --- asked by handlers --------------------------------------------------------------------------------------------

    def document(self, uri: str) -> None:
        """A document was opened or changed: look at it now; an older look is cancelled."""
        self.ls.schedule.submit(("document", uri), lambda progress: self._document(uri, progress))

    def folder(self, folder: Folder, reason: str, delay: float = QUIET_SECONDS) -> None:
        """Something on disk changed: look at the open documents' scopes and then at the whole workspace, soon."""
        self.ls.schedule.submit(
            ("folder", folder.root),
            lambda progress: self._folder(folder, reason, progress),
            delay,
            LONGEST_SECONDS,
            finish=True,
        )

    def forget(self, folder: Folder) -> None:
        """A folder left: its files' findings go."""
        self.workspaces.pop(folder.root, None)
        for told in self.publisher.all():
            place = self.ls.place(told.uri)
            if place is None and not self.ls.documents.get(told.uri):
                self.publisher.clear(told.uri)

    def closed(self, document: OpenDocument) -> None:
        """A document was closed: its buffer's findings go at once; what the disk says comes with the next look."""
        self.known.pop(uri_key(document.uri), None)
        self.publisher.clear(document.uri)

    def pulled(self, what: str, uri: str = "") -> None:
        """The client pulls: what was pushed about the same files would show twice."""
        if what == "documents":
            self.pulled_documents = True
            self.publisher.retract(uri)
            return
        if not self.pulled_workspace:
            self.pulled_workspace = True
            for told in self.publisher.all():
                self.publisher.retract(told.uri)

    async def up_to_date(self, uri: str) -> None:
        """Wait until an open document's findings are those of its newest version."""
        pending = self.ls.schedule.busy(("document", uri))
        if pending is not None:
            await asyncio.wait({pending})
        document, told = self.ls.documents.get(uri), self.publisher.current(uri)
        if document is not None and (told is None or told.version != document.version):
            await self.examine_document(uri, Progress())

    async def all_up_to_date(self, progress: Progress) -> None:
        """Wait until every folder was looked at, and no look is pending."""
        await self.ls.until_configured()
        for folder in self.ls.folders.all():
            for _ in range(LOOKS):
                pending = self.ls.schedule.busy(("folder", folder.root))
                if pending is not None:
                    await asyncio.wait({pending})
            if folder.root not in self.workspaces:
                await self.examine_folder(folder, progress)

    # --- work ---------------------------------------------------------------------------------------------------------

    async def examine_document(self, uri: str, progress: Progress) -> bool:
        """Bring one open document's findings up to date; False when it changed or closed meanwhile, or is none of ours."""
        await self.ls.until_configured()
        document, place = self.ls.documents.get(uri), self.ls.place(uri)
        if document is None or place is None or not place.path:
            return False
        version = document.version
        examination = self._examination(place, progress)

        def look() -> Looked:
            examination.drain()
            return self._looked(place.folder, examination)

        looking = asyncio.ensure_future(self.ls.work(look))
        done, _ = await asyncio.wait({looking}, timeout=SLOW_SECONDS)
        if not done:
            # One check is slow. A second worker does the others; what they find is shown while the slow one goes on.
            self._tell_document(place, document, version, await self.ls.work(look))
        return self._tell_document(place, document, version, await looking)

    async def _document(self, uri: str, progress: Progress) -> None:
        await self.examine_document(uri, progress)

    def _examination(self, place: Place, progress: Progress) -> DocumentExamination:
        workspace = self.workspaces.get(place.folder.root)
        known = workspace.disk.get(place.path, []) if workspace is not None else None
        selection = self._selection(place.folder)
        return DocumentExamination(place.analysis, place.path, selection, self.check_failed, progress, known)

    def _looked(self, folder: Folder, examination: DocumentExamination) -> Looked:
        """What was found so far, in both forms; on a worker."""
        findings = examination.ready()
        items = self._converter(examination.view, folder).diagnostics(findings)
        return Looked(examination.view, findings, items)

    def _tell_document(self, place: Place, document: OpenDocument, version: int, looked: Looked) -> bool:
        if self.ls.documents.get(document.uri) is not document or document.version != version:
            return False
        if (
            not looked.items
            and place.path not in looked.view.documents
            and self.publisher.current(document.uri) is None
        ):
            return True  # not an instruction file: there is nothing to say about it
        self.known[uri_key(document.uri)] = Known(looked.view, looked.findings, version)
        self._tell(document.uri, version, looked.items)
        return True

    async def _folder(self, folder: Folder, reason: str, progress: Progress) -> None:
        await self.ls.until_configured()
        own = [document for document in self.ls.documents if self._owned(document.uri, folder)]
        for document in own:
            self.document(document.uri)
        await self.ls.documents_examined()
        only_open = (await self.ls.work(lambda: self.ls.app.settings(folder.root))).settings.diagnostics_open_files_only
        await self.examine_folder(folder, progress, only_open=only_open)
        view = self.workspaces[folder.root].view
        state = (
            view.pinned.id if view.pinned else "",
            {scope: item.fingerprint for scope, item in view.snapshots.items()},
        )
        if self._states.get(folder.root) != state:
            self._states[folder.root] = state
            self.ls.context_changed(folder.root, reason)

    async def examine_folder(self, folder: Folder, progress: Progress, *, only_open: bool = False) -> None:
        """Look at a whole workspace and tell what is new."""
        from waybook.lsp.reuse import Reuse

        reuse = self.reuse.setdefault(folder.root, Reuse())
        analysis, selection = self.ls.behind(folder.root), self._selection(folder)
        examined = await self.ls.work_behind(
            lambda: examine_workspace(analysis, selection, self.check_failed, progress, reuse)
        )
        self.workspaces[folder.root] = examined
        converter = self._converter(examined.view, folder)
        before = {
            place.path
            for told in self.publisher.all()
            if (place := self.ls.place(told.uri)) is not None and place.folder == folder
        }
        for path in sorted(examined.paths() | before):
            await self._tell_file(folder, path, examined, converter, only_open=only_open)
        if self.ls.watching is not None:
            self.ls.watching.follow(folder, examined.view)

    async def _tell_file(
        self, folder: Folder, path: str, examined: Examined, converter: Findings, *, only_open: bool
    ) -> None:
        uri = self.ls.uri(folder, path)
        if not self._owned(uri, folder):
            return  # an inner folder's file: that folder speaks about it
        document = self.ls.documents.get(uri)
        seen = examined.view.documents.get(path)
        outdated = document is not None and seen is not None and seen.version != document.version
        unsaid = document is not None and seen is None and path not in examined.paths()
        if outdated or unsaid:
            return  # the document's own look, newer than this one, is under way
        findings = [] if only_open and document is None else examined.of(path)
        self.known[uri_key(uri)] = Known(examined.view, findings, document.version if document else None)
        self._tell(uri, document.version if document else None, converter.diagnostics(findings))

    def _tell(self, uri: str, version: int | None, items: list[types.Diagnostic]) -> None:
        changed = self.publisher.set(uri, version, items)
        if self.pushes(uri):
            self.publisher.push(uri)
        elif changed:
            self.ls.refresh_pulled()

    # --- helpers ------------------------------------------------------------------------------------------------------

    def pushes(self, uri: str) -> bool:
        """Whether a file's findings are pushed: always, unless the client really pulls them."""
        if not pulls(self.ls.client):
            return True
        pulled = self.pulled_documents if self.ls.documents.get(uri) is not None else self.pulled_workspace
        if pulled:
            return False
        return asyncio.get_running_loop().time() - self.ls.started > GRACE_SECONDS

    def push_after_grace(self) -> None:
        """Give a pulling client its time, then push what it did not ask for."""
        for told in self.publisher.all():
            if self.pushes(told.uri):
                self.publisher.push(told.uri)

    def check_failed(self, code: str, error: Exception | None) -> None:
        """Told by workers: a check crashed or was slow. Shown once for each check."""
        what = f"failed ({type(error).__name__}: {error})" if error else "takes long"
        message = f"Waybook: the check {code} {what}. The other checks go on; the log has the details."
        self.ls.from_worker(lambda: self.ls.tell_once(f"check:{code}:{error is None}", message))

    def _owned(self, uri: str, folder: Folder) -> bool:
        place = self.ls.place(uri)
        return place is not None and place.folder == folder

    def _converter(self, view: View, folder: Folder) -> Findings:
        docs_url = self.ls.app.settings(folder.root).settings.docs_url
        return Findings(view, self.ls.client, lambda path: self.ls.uri(folder, path), docs_url)

    def _selection(self, folder: Folder) -> Selection:
        return Selection(severity=self.ls.app.settings(folder.root).settings.checks_severity)
