"""Drives `waybook lsp` as an editor does: a client, a workspace in a temporary directory, and what it was told."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Union

from lsprotocol import types
from lsprotocol.converters import get_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

from waybook.base.uris import uri_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from pathlib import Path

PROFILES = ("neovim", "visual_studio_code")
SECONDS = 20.0


class Editor:
    """One client and one server. `published` is every push in order; `requests` the server's own requests by method."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client = client
        self.root = root
        self.published: list[types.PublishDiagnosticsParams] = []
        self.changed: list[Any] = []
        self.refreshes = 0
        self.registrations: list[types.Registration] = []
        self.questions: list[types.ShowMessageRequestParams] = []
        self.answer = "Confirm"
        self.result: types.InitializeResult
        self._news = asyncio.Event()
        self._listen()

    def _listen(self) -> None:
        client = self.client
        # lsprotocol 2025.0 takes an action that holds a command for a bare command.
        client.protocol._converter.register_structure_hook(Union[types.Command, types.CodeAction], _action)  # noqa: UP007 - the very form lsprotocol registered

        @client.feature("waybook/contextChanged")
        def changed(params: Any) -> None:
            self.changed.append(params)
            self._news.set()

        @client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registrations.extend(params.registrations)
            self._news.set()

        @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def question(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            self.questions.append(params)
            return types.MessageActionItem(self.answer) if self.answer else None

        @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def lenses(params: Any) -> None:
            self.refreshes += 1
            self._news.set()

        original = client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

        def publish(params: types.PublishDiagnosticsParams) -> None:
            original(params)
            self.published.append(params)
            self._news.set()

        client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = publish

    # --- saying -------------------------------------------------------------------------------------------------------

    def uri(self, path: str = "") -> str:
        """The URI of a workspace-relative path."""
        return (self.root / path).as_uri() if path else self.root.as_uri()

    def open(self, path: str, text: str | None = None, version: int = 1) -> str:
        """Open a document, by default with the disk's text."""
        uri = path if ":" in path else self.uri(path)
        if text is None:
            text = (self.root / path).read_bytes().decode("utf-8")
        item = types.TextDocumentItem(uri, "markdown", version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, path: str, version: int, *changes: Any) -> None:
        """Change a document: whole texts, or (range, text)."""
        uri = path if ":" in path else self.uri(path)
        events = [
            types.TextDocumentContentChangeWholeDocument(change)
            if isinstance(change, str)
            else types.TextDocumentContentChangePartial(change[0], change[1])
            for change in changes
        ]
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, events))

    def save(self, path: str) -> None:
        """Tell that a document was saved."""
        self.client.text_document_did_save(
            types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(path)))
        )

    def close(self, path: str) -> None:
        """Close a document."""
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri(path)))
        )

    def touched(self, *paths: str, kind: int = 2) -> None:
        """Tell, as a client's watcher does, that files changed."""
        events = [
            types.FileEvent(path if ":" in path else self.uri(path), types.FileChangeType(kind)) for path in paths
        ]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))

    def write(self, path: str, text: str) -> None:
        """Write a file of the workspace."""
        write(self.root, path, text)

    async def hover(self, path: str, line: int = 0, character: int = 0) -> str | None:
        """The hover's Markdown."""
        uri = path if ":" in path else self.uri(path)
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        found = await self.within(self.client.text_document_hover_async(params))
        return found.contents.value if found else None

    async def command(self, name: str, argument: Mapping[str, Any] | None = None, **more: Any) -> Any:
        """Run a command."""
        params = types.ExecuteCommandParams(
            f"waybook.{name}", [dict(argument)] if argument is not None else None, **more
        )
        found = await self.within(self.client.workspace_execute_command_async(params))
        return plain(found)

    # --- hearing ------------------------------------------------------------------------------------------------------

    def codes(self, path: str) -> list[str]:
        """The codes of a file's findings as last pushed."""
        wanted = uri_key(self.uri(path))
        every = (items for uri, items in self.client.diagnostics.items() if uri_key(uri) == wanted)
        return [str(item.code) for items in every for item in items]

    def pushes(self, path: str) -> list[types.PublishDiagnosticsParams]:
        """Every push about a file."""
        return [item for item in self.published if item.uri == self.uri(path)]

    async def until(self, condition: Callable[[], Any], what: str = "") -> None:
        """Wait until something holds."""

        async def wait() -> None:
            while not condition():
                self._news.clear()
                try:
                    await asyncio.wait_for(self._news.wait(), 0.1)
                except TimeoutError:
                    continue

        try:
            await asyncio.wait_for(wait(), SECONDS)
        except TimeoutError:
            state = {uri: [str(item.code) for item in items] for uri, items in self.client.diagnostics.items()}
            messages = [item.message for item in self.client.messages]
            raise AssertionError(
                f"never happened: {what or condition}; findings {state}; messages {messages}"
            ) from None

    async def settled(self, quiet: float = 0.6) -> None:
        """Wait until nothing was pushed for a while."""
        count = -1
        while count != len(self.published):
            count = len(self.published)
            await asyncio.sleep(quiet)

    async def within(self, awaitable: Any, seconds: float = SECONDS) -> Any:
        """An answer, or a failure when it takes too long."""
        return await asyncio.wait_for(awaitable, seconds)


def _action(value: Any, _: Any) -> Any:
    kind = types.Command if isinstance(value.get("command"), str) else types.CodeAction
    return _CONVERTER.structure(value, kind)


_CONVERTER = get_converter()


def write(root: Path, path: str, text: str) -> None:
    """Write a file below a directory, making what is missing."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text.encode("utf-8"))


def plain(value: Any) -> Any:
    """An answer as plain JSON values: pygls gives untyped objects as named tuples."""
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def environment(data: Path, **more: str) -> dict[str, str]:
    """An environment whose store and log are the test's own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("WAYBOOK_")}
    return {**kept, "WAYBOOK_DATA_DIR": str(data), "WAYBOOK_OPERATOR": "tester", "HOME": str(data), **more}


def capabilities(
    profile: str, change: Callable[[types.ClientCapabilities], None] | None = None
) -> types.ClientCapabilities:
    """The recorded capabilities of a client, changed where a test needs it."""
    found = client_capabilities(profile)
    if change is not None:
        change(found)
    return found


@asynccontextmanager
async def editor(
    root: Path,
    data: Path,
    profile: str = "visual_studio_code",
    *,
    folders: list[Path] | None = None,
    change: Callable[[types.ClientCapabilities], None] | None = None,
    options: Any = None,
    configuration: dict[str, Any] | None = None,
    initialize: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    arguments: tuple[str, ...] = ("--stdio",),
) -> AsyncIterator[Editor]:
    """A running editor; at the end the server must leave by itself and with status 0.

    `initialize` replaces fields of the `initialize` request.
    """
    client = make_test_lsp_client()
    if configuration is not None:
        client.set_configuration({"waybook": configuration})
    environ = {**environment(data), **(env or {})}
    await client.start_io(sys.executable, "-m", "waybook", "lsp", *arguments, env=environ, cwd=str(data))
    found = Editor(client, root)
    server = client._server
    assert server is not None
    try:
        fields: dict[str, Any] = {
            "capabilities": capabilities(profile, change),
            "workspace_folders": [types.WorkspaceFolder(item.as_uri(), item.name) for item in folders or [root]],
            "initialization_options": options,
            "client_info": types.ClientInfo(profile),
            **(initialize or {}),
        }
        params = types.InitializeParams(**fields)
        found.result = await asyncio.wait_for(client.initialize_session(params), SECONDS)
        yield found
        await asyncio.wait_for(client.shutdown_async(None), SECONDS)
        client.exit(None)
        assert await asyncio.wait_for(server.wait(), SECONDS) == 0
    finally:
        if server.returncode is None:
            server.kill()
        await asyncio.wait_for(client.stop(), SECONDS)
