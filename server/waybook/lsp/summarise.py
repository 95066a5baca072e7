"""`waybook/summarise`: the editor's own model writes a summary, where the client says that it can.

A client offers it in its capabilities: `experimental.waybook.summarise` is true. The request carries `{instructions, data,
maxTokens}`: what the model is to do, the conversation as one JSON value that is data only, and how long the answer may be.
The answer is `{text, model?}`; an error means that no summary was made.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import CancelledError as FutureCancelledError
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from waybook.base.errors import UnavailableError

if TYPE_CHECKING:
    from lsprotocol import types

    from waybook.lsp.language_server import Server

METHOD = "waybook/summarise"
SECONDS = 300.0
"""How long a person may be asked, and a model may take."""


def offer(ls: Server, params: types.InitializeParams) -> None:
    """Let compactions ask this client's model, if it offers one. Called on the event loop."""
    if not _get(_get(params.capabilities.experimental, "waybook"), "summarise"):
        return
    loop = asyncio.get_running_loop()
    ls.app.ask_editor = lambda request: ask(ls, loop, request)


def ask(ls: Server, loop: asyncio.AbstractEventLoop, request: Mapping[str, Any]) -> dict[str, Any]:
    """The client's answer; for worker threads.

    Raises `UnavailableError` where it says that there is no summary, `OutcomeUnknownError` where it says nothing.
    """
    from waybook.compaction.summariser import OutcomeUnknownError

    waiting = asyncio.run_coroutine_threadsafe(ls.protocol.ask(METHOD, dict(request)), loop)
    try:
        answer = waiting.result(SECONDS)
    except JsonRpcException as error:
        raise UnavailableError(
            f"The editor made no summary: {error.message}",
            code="summariser-failed",
            hint="Nothing was changed. Choose a model in the editor, or pass another summariser.",
        ) from error
    except (TimeoutError, FutureCancelledError, OSError) as error:
        waiting.cancel()
        raise OutcomeUnknownError("the editor gave no answer") from error
    return {"text": _get(answer, "text"), "model": _get(answer, "model")}


def _get(value: Any, name: str) -> Any:
    """A member of what a client sent, whatever it was made into; None for none."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
