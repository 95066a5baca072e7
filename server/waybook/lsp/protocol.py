"""JSON-RPC the way we promise it: exactly one answer for each request, whatever happens to it.

pygls dispatches; this subclass replaces what it leaves open: requests before `initialize` and after `shutdown`,
parameters that don't fit, results that cannot be sent, cancels that cross an answer, and documents (ours, not its own).
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

from waybook.base.errors import WaybookError
from waybook.lsp.errors import internal_error, response_error
from waybook.lsp.features import lifecycle, sync, watching
from waybook.lsp.features.commands import cancel_progress
from waybook.lsp.features.execute import execute

if TYPE_CHECKING:
    from concurrent.futures import Future

    from waybook.lsp.language_server import Server

log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """One connection's protocol state."""

    _server: Server

    # --- what arrives -------------------------------------------------------------------------------------------------

    def receive(self, raw: Any) -> None:
        """Handle one decoded message; what is malformed is answered when it has an id, else logged."""
        request_id = raw.get("id") if isinstance(raw, dict) and "method" in raw else None
        try:
            if not isinstance(raw, dict) or raw.get("jsonrpc") != self.VERSION:
                raise JsonRpcInvalidRequest("This is no JSON-RPC 2.0 message.")
            message = self.structure_message(raw)
        except JsonRpcException as error:
            self._refuse(request_id, raw, error)
        else:
            self.handle_message(message)

    def refuse_body(self, reason: str) -> None:
        """Answer a body that is no JSON, as JSON-RPC asks: an error without an id."""
        log.warning("A message is not JSON: %s", reason)
        error = {"code": -32700, "message": f"The message is not JSON: {reason}."}
        self._send_data({"jsonrpc": self.VERSION, "id": None, "error": error})

    def _refuse(self, request_id: Any, raw: Any, error: JsonRpcException) -> None:
        method = raw.get("method") if isinstance(raw, dict) else None
        if request_id is not None:
            message = f"{method}: {error.message or 'the parameters do not fit the protocol'}."
            self._send_response(request_id, error=types.ResponseError(error.code, message, {"code": "invalid-params"}))
        elif isinstance(raw, dict) and (future := self._request_futures.pop(raw.get("id", ""), None)) is not None:
            future.set_exception(error)
        else:
            log.warning("A message is passed over (%s): %s", method, error)

    def handle_message(self, message: Any) -> None:
        """Dispatch; a request that comes too early or too late is answered with the protocol's error."""
        method = getattr(message, "method", None)
        if method is None or (method in {types.EXIT, types.CANCEL_REQUEST}):
            super().handle_message(message)
            return
        error: JsonRpcException | None = None
        if self._shutdown:
            error = JsonRpcInvalidRequest("The server is shutting down.")
        elif not self._server.ready and method != types.INITIALIZE:
            error = JsonRpcServerNotInitialized("The first request must be initialize.")
        elif self._server.ready and method == types.INITIALIZE:
            error = JsonRpcInvalidRequest("The server is initialized already.")
        if error is None:
            super().handle_message(message)
        elif hasattr(message, "id"):
            self._send_response(message.id, error=error.to_response_error())

    # --- what leaves --------------------------------------------------------------------------------------------------

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        """Send the one answer of a request that is over."""
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            error = JsonRpcRequestCancelled("The request was cancelled.").to_response_error()
            self._send_response(msg_id, error=error)
            return
        raised = future.exception()
        if raised is None:
            self._send_response(msg_id, result=future.result())
        elif isinstance(raised, WaybookError):
            self._send_response(msg_id, error=response_error(raised))
        elif isinstance(raised, JsonRpcException):
            self._send_response(msg_id, error=raised.to_response_error())
        else:
            log.error("A request failed", exc_info=raised)
            self._server.tell_failure(raised)
            self._send_response(msg_id, error=internal_error(raised))

    def _send_data(self, data: Any) -> None:
        """Write one message; an answer that cannot be written as JSON becomes an error answer."""
        if self.writer is None:
            return
        try:
            body = json.dumps(data, default=self._serialize_message, separators=(",", ":")).encode("ascii")
        except Exception as error:
            log.exception("A message cannot be sent")
            request_id = getattr(data, "id", None)
            if request_id is None or hasattr(data, "method"):
                return
            answer = {"code": -32603, "message": f"The answer cannot be written: {error}."}
            body = json.dumps({"jsonrpc": self.VERSION, "id": request_id, "error": answer}).encode("ascii")
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    # --- built-in methods ---------------------------------------------------------------------------------------------

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> types.InitializeResult:  # type: ignore[override]  # pygls runs plain functions and coroutines as well as its own generators
        """Agree on encoding and abilities; nothing heavy happens before the answer."""
        self.client_capabilities = params.capabilities
        result = lifecycle.initialize(self._server, params)
        self.server_capabilities = result.capabilities
        return result

    @lsp_method(types.INITIALIZED)
    def lsp_initialized(self, *_: Any) -> None:
        """Start to work."""
        lifecycle.initialized(self._server)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_: Any) -> None:  # type: ignore[override]  # pygls runs plain functions and coroutines as well as its own generators
        """Cancel what runs, each with its answer, and take no more requests."""
        self._shutdown = True
        for future in list(self._request_futures.values()):
            future.cancel()
        self._server.stop_working()

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]  # pygls runs plain functions and coroutines as well as its own generators
        """Leave: status 0 after `shutdown`, else 1."""
        raise SystemExit(0 if self._shutdown else 1)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Follow a document."""
        sync.did_open(self._server, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply a document's changes."""
        sync.did_change(self._server, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """The disk is the truth again."""
        sync.did_close(self._server, params)

    @lsp_method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Folders came or went."""
        watching.did_change_folders(self._server, params)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:  # type: ignore[override]  # pygls runs plain functions and coroutines as well as its own generators
        """Run a command of the registry."""
        return await execute(self._server, params)

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """Stop the command whose progress the person dismissed."""
        cancel_progress(self._server, params.token)

    def _handle_response(self, msg_id: Any, result: Any = None, error: types.ResponseError | None = None) -> None:
        """An answer to one of our own requests; one that nobody waits for any more is dropped."""
        future = self._request_futures.pop(msg_id, None)
        if future is None or future.done():
            return
        if error is not None:
            future.set_exception(JsonRpcException.from_error(error))
        else:
            future.set_result(result)

    async def ask(self, method: str, params: Any) -> Any:
        """Send a request to the client and wait for its answer."""
        return await asyncio.wrap_future(self.send_request(method, params))
