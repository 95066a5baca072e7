"""One connection's state, and the few things every handler needs: where a URI lies, work off the loop, tell once."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from waybook import __version__
from waybook.analysis.view import Document
from waybook.base.errors import WaybookError
from waybook.base.uris import path_to_uri, uri_to_path
from waybook.lsp.capabilities import GRACE_SECONDS, pulls
from waybook.lsp.client import Client
from waybook.lsp.documents import Documents
from waybook.lsp.folders import Folder, Folders
from waybook.lsp.protocol import Protocol
from waybook.lsp.schedule import Schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waybook.analysis.service import Analysis
    from waybook.analysis.view import View
    from waybook.app import App
    from waybook.lsp.diagnose import Diagnoser
    from waybook.lsp.watch import Watching
    from waybook.tokens.counter import Counter

log = logging.getLogger(__name__)
Result = TypeVar("Result")
WORKERS = 4
REFRESH_SECONDS = 0.05
FIRST_LOOK_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a URI lies: its folder, the workspace-relative path, and the analysis of that folder."""

    uri: str
    folder: Folder
    path: str
    analysis: Analysis


class Server(LanguageServer):
    """The language server of one client. Everything here is touched by the event loop only, unless it says otherwise."""

    protocol: Protocol

    def __init__(self, app: App) -> None:
        super().__init__("waybook", __version__, protocol_cls=Protocol, converter_factory=default_converter)
        self.app = app
        self.client = Client()
        self.documents = Documents()
        self.folders = Folders()
        self.ready = False
        self.started = 0.0
        self.registered_configuration = False
        self._configured: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._refreshing = False
        self.initialization_options: dict[str, Any] = {}
        self.pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="waybook-worker")
        self.background = ThreadPoolExecutor(1, thread_name_prefix="waybook-background")
        self.schedule = Schedule(self.tell_failure)
        self.running: dict[Any, Callable[[], None]] = {}
        self.diagnoser: Diagnoser | None = None
        self.watching: Watching | None = None
        self.cancels: dict[Any, Callable[[], None]] = {}
        self._told: set[str] = set()
        # The layers that the command line gave stay strongest when the client's settings come and go.
        self._base_options = app._options  # noqa: SLF001 -- the face that made the app put them there
        self._layers: list[tuple[str, Mapping[str, Any]]] = []
        self._tokens: Counter | None = None
        self._behind: dict[str, Analysis] = {}

    # --- where --------------------------------------------------------------------------------------------------------

    def place(self, uri: str) -> Place | None:
        """Where a URI lies; None for what is no file or lies in no workspace folder (answer null)."""
        path = uri_to_path(uri)
        folder = self.folders.owner(path) if path is not None else None
        relative = folder.relative(path) if folder is not None and path is not None else None
        if folder is None or relative is None:
            return None
        return Place(uri, folder, relative, self.app.analysis(folder.root))

    def behind(self, root: str) -> Analysis:
        """An analysis of a whole workspace beside the one that answers requests: neither waits for the other's reading.

        It sees the same unsaved buffers, and asks for the pin anew at each view.
        """
        main = self.app.analysis(root)
        found = self._behind.get(root)
        if found is None or found.overlay is not main.overlay:
            found = self._behind[root] = self.app._new_analysis(root)  # noqa: SLF001 -- made as the app makes them
            found.overlay = main.overlay
        found.forget_pinned()
        return found

    async def whole_view(self, folder: Folder) -> View:
        """The whole workspace: the last look at it with the buffers of this moment, once no newer look is pending."""
        pending = self.schedule.busy(("folder", folder.root))
        if pending is not None:
            await asyncio.wait({pending})
        examined = self.diagnoser.workspaces.get(folder.root) if self.diagnoser is not None else None
        if examined is None:
            return await self.work_behind(lambda: self.behind(folder.root).view())
        view = examined.view
        open_now = {
            place.path: Document(place.path, document.text, document.version)
            for document in self.documents
            if (place := self.place(document.uri)) is not None
            and place.folder == folder
            and (known := view.documents.get(place.path)) is not None
            and known.text != document.text
        }
        return replace(view, documents={**view.documents, **open_now}) if open_now else view

    def uri(self, folder: Folder, path: str) -> str:
        """The URI of a workspace-relative path: the editor's own spelling where the document is open."""
        uri = path_to_uri(folder.absolute(path))
        document = self.documents.get(uri)
        return document.uri if document is not None else uri

    def rehome_documents(self) -> None:
        """Give each open document to the analysis of the folder that owns it now."""
        for document in self.documents:
            if document.path is None:
                continue
            owner = self.folders.owner(document.path)
            for folder in self.folders.all():
                relative = folder.relative(document.path)
                if not relative:
                    continue
                overlay = self.app.analysis(folder.root).overlay
                if folder == owner:
                    overlay.put(relative, document.text, document.version)
                else:
                    overlay.drop(relative)

    # --- settings -----------------------------------------------------------------------------------------------------

    def set_settings(self, layers: list[tuple[str, Mapping[str, Any]]]) -> None:
        """Put the client's settings in force; what the command line said stays strongest."""
        if layers != self._layers:
            self._layers = layers
            self.app.set_options(*layers, *self._base_options)
            self._behind.clear()
        self._event().set()

    def settings_changed(self) -> None:
        """A workspace's own settings file changed: read it again."""
        self.app.set_options(*self._layers, *self._base_options)
        self._behind.clear()

    async def until_configured(self) -> None:
        """Wait until the settings are known, as far as the client tells them."""
        await self._event().wait()

    def _event(self) -> asyncio.Event:
        if self._configured is None:
            self._configured = asyncio.Event()
        return self._configured

    # --- findings -----------------------------------------------------------------------------------------------------

    def diagnose(self, folder: Folder, reason: str) -> None:
        """Look at one folder again, soon."""
        if self.diagnoser is not None:
            self.diagnoser.folder(folder, reason)

    def diagnose_everything(self, reason: str) -> None:
        """Look at every folder again."""
        for folder in self.folders.all():
            self.diagnose(folder, reason)

    async def documents_examined(self) -> None:
        """Wait until the documents that are open now were looked at: they come before everything else."""
        pending = [self.schedule.busy(("document", document.uri)) for document in self.documents]
        tasks = {task for task in pending if task is not None}
        if tasks:
            await asyncio.wait(tasks, timeout=FIRST_LOOK_SECONDS)

    def context_changed(self, root: str, reason: str) -> None:
        """Tell sidebars and lenses that what applies, or what is pinned, may have changed."""
        self.protocol.notify("waybook/contextChanged", {"workspace": root, "reason": reason})
        if self.client.lens_refresh:
            self.protocol.send_request(types.WORKSPACE_CODE_LENS_REFRESH, None)

    def pin_changed(self, reason: str) -> None:
        """Something was written: what is pinned is asked for again, everywhere."""
        for folder in self.folders.all():
            self.app.analysis(folder.root).forget_pinned()
            self.context_changed(folder.root, reason)
            self.diagnose(folder, reason)

    def refresh_pulled(self) -> None:
        """Ask the client to pull again; once for everything that changes in one turn of the loop."""
        if self._refreshing or not self.client.pull_refresh:
            return
        self._refreshing = True

        def ask() -> None:
            self._refreshing = False
            self.protocol.send_request(types.WORKSPACE_DIAGNOSTIC_REFRESH, None)

        asyncio.get_running_loop().call_later(REFRESH_SECONDS, ask)

    # --- work ---------------------------------------------------------------------------------------------------------

    async def work(self, call: Callable[[], Result]) -> Result:
        """Run something that reads files or computes on a worker thread."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, call)

    async def work_behind(self, call: Callable[[], Result]) -> Result:
        """Run something long that nobody waits for, one at a time."""
        return await asyncio.get_running_loop().run_in_executor(self.background, call)

    def from_worker(self, call: Callable[[], None]) -> None:
        """Have the event loop do something soon; the one way back from other threads."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    def begin(self) -> None:
        """The connection is agreed on: from here on handlers may schedule work."""
        from waybook.lsp.diagnose import Diagnoser
        from waybook.lsp.publish import Publisher

        self._loop = asyncio.get_running_loop()
        self.started = self._loop.time()
        publisher = Publisher(self.text_document_publish_diagnostics, self.protocol._converter)  # noqa: SLF001 -- pygls keeps its converter there
        self.diagnoser = Diagnoser(self, publisher)
        if pulls(self.client):
            self._loop.call_later(GRACE_SECONDS + 0.1, self.diagnoser.push_after_grace)

    def stop_working(self) -> None:
        """Ask everything that runs to end."""
        self.schedule.stop()
        for cancel in list(self.running.values()):
            cancel()
        if self.watching is not None:
            self.watching.stop()

    def count(self, text: str, sha: str) -> int | None:
        """Tokens of a text, once the vocabulary is loaded. Safe from any thread."""
        return self._tokens.count_ready(text, sha) if self._tokens is not None else None

    def start_counting(self) -> None:
        """Load the vocabulary behind everything else; lenses are asked for again when it is there."""
        from waybook.tokens.counter import Counter

        settings = self.app.settings().settings
        if self._tokens is not None and self._tokens.encoding == settings.tokens_encoding:
            return
        counter = self._tokens = Counter(settings.tokens_encoding, allow_download=settings.tokens_download)
        counter.start_loading(lambda: self.from_worker(self._counted))

    def _counted(self) -> None:
        notice = self._tokens.notice() if self._tokens is not None else None
        if notice:
            self.tell_once("tokens", notice, types.MessageType.Info)
        elif self.client.lens_refresh:
            self.protocol.send_request(types.WORKSPACE_CODE_LENS_REFRESH, None)

    # --- tell ---------------------------------------------------------------------------------------------------------

    def tell_once(self, key: str, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Show a message to the person, the first time this key comes up."""
        if key in self._told:
            return
        self._told.add(key)
        self.window_show_message(types.ShowMessageParams(kind, message))

    def tell_no_folder(self) -> None:
        """Say that there is nothing to look at; nothing is scanned."""
        message = "Waybook has no workspace folder, so no instructions can be shown. Open a folder."
        self.window_log_message(types.LogMessageParams(types.MessageType.Info, message))
        self.tell_once("no-folder", message, types.MessageType.Info)

    def tell_failure(self, error: BaseException) -> None:
        """A failure outside a request: shown once for each kind; the log has every one. An expected one speaks for itself."""
        if isinstance(error, WaybookError):
            self.tell_once(f"error:{error.code}:{error.path}", error.message + (f" {error.hint}" if error.hint else ""))
            return
        name = type(error).__name__
        message = f"Waybook met an unexpected {name} ({error}). It goes on; the log has the details."
        self.tell_once(f"failure:{name}", message, types.MessageType.Error)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What pygls reports from outside a request."""
        log.error("%s: %s", getattr(source, "__name__", source), error, exc_info=error)
        self.tell_failure(error)
