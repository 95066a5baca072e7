"""Which handler answers which method: the one list. Built-in methods of the protocol are in `protocol.py`.

A handler's module is loaded at its first call: a start loads only what a start needs.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from waybook.lsp.language_server import Server

HANDLERS: dict[str, str] = {
    types.TEXT_DOCUMENT_DID_SAVE: "sync:did_save",
    types.TEXT_DOCUMENT_HOVER: "hover:hover",
    types.TEXT_DOCUMENT_CODE_LENS: "lens:code_lens",
    types.TEXT_DOCUMENT_CODE_ACTION: "actions:code_actions",
    types.TEXT_DOCUMENT_DEFINITION: "navigation:definition",
    types.TEXT_DOCUMENT_REFERENCES: "navigation:references",
    types.TEXT_DOCUMENT_DOCUMENT_LINK: "navigation:document_links",
    types.DOCUMENT_LINK_RESOLVE: "navigation:resolve_link",
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "outline:document_symbols",
    types.WORKSPACE_SYMBOL: "outline:workspace_symbols",
    types.TEXT_DOCUMENT_FOLDING_RANGE: "outline:folding_ranges",
    types.TEXT_DOCUMENT_COMPLETION: "completion:completion",
    types.TEXT_DOCUMENT_DIAGNOSTIC: "pulling:document_diagnostic",
    types.WORKSPACE_DIAGNOSTIC: "pulling:workspace_diagnostic",
    types.WORKSPACE_WILL_RENAME_FILES: "rename:will_rename_files",
    types.WORKSPACE_DID_CREATE_FILES: "watching:did_create_files",
    types.WORKSPACE_DID_DELETE_FILES: "watching:did_delete_files",
    types.WORKSPACE_DID_RENAME_FILES: "watching:did_rename_files",
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: "configuration:did_change_configuration",
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: "watching:did_change_watched_files",
}
"""Method -> module and function in this package; a function takes the server and the request's params."""

AT_ONCE = frozenset({types.TEXT_DOCUMENT_DID_SAVE, types.WORKSPACE_DID_CHANGE_WATCHED_FILES})
"""Notifications whose order among document changes matters: handled before the next message is looked at."""


def handler(name: str) -> Callable[..., Any]:
    """The function of an entry of `HANDLERS`."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"waybook.lsp.features.{module}"), function)
    return found


def at_once(name: str) -> Callable[[Server, Any], None]:
    """A plain function that loads its handler when it is called."""

    def call(ls: Server, params: Any) -> None:
        handler(name)(ls, params)

    return call


def when_asked(name: str) -> Callable[[Server, Any], Awaitable[Any]]:
    """A coroutine that loads its handler when it is called; pygls can cancel it."""

    async def call(ls: Server, params: Any) -> Any:
        answer = handler(name)(ls, params)
        return await answer if inspect.isawaitable(answer) else answer

    return call
