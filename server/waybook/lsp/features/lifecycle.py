"""initialize and initialized: what is agreed on, and the work that starts then."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lsprotocol import types

from waybook import __version__
from waybook.base.uris import path_to_uri
from waybook.lsp.capabilities import server_capabilities
from waybook.lsp.client import read_client
from waybook.lsp.parent import watch_parent
from waybook.lsp.summarise import offer

if TYPE_CHECKING:
    from waybook.lsp.language_server import Server

log = logging.getLogger(__name__)
LONGEST_START_SECONDS = 10.0

COLLECT = (20_000, 10, 10)
"""Objects made and kept before garbage is looked for: a request makes some thousands, nearly all without circles."""


def initialize(ls: Server, params: types.InitializeParams) -> types.InitializeResult:
    """Read the client's abilities, take its folders, offer ours."""
    ls.client = read_client(params)
    offer(ls, params)
    ls.process_id = params.process_id
    ls.folders.add(folder_uris(params))
    options = params.initialization_options
    ls.initialization_options = dict(options) if isinstance(options, Mapping) else {}
    ls.ready = True
    asyncio.get_running_loop().call_later(LONGEST_START_SECONDS, _collect_again)
    return types.InitializeResult(server_capabilities(ls.client), types.ServerInfo("waybook", __version__))


def folder_uris(params: types.InitializeParams) -> list[str]:
    """The workspace folders; an older client's `rootUri`, or the still older `rootPath`, where it has none.

    An empty list of folders is an answer: there is no workspace.
    """
    if params.workspace_folders is not None:
        return [folder.uri for folder in params.workspace_folders]
    if params.root_uri:
        return [params.root_uri]
    return [path_to_uri(params.root_path)] if params.root_path else []


def initialized(ls: Server) -> None:
    """Start everything that may take its time, off the answer's path."""
    ls.begin()
    if ls.process_id:
        loop = asyncio.get_running_loop()
        watch_parent(ls.process_id, lambda: loop.call_soon_threadsafe(_parent_gone))
    asyncio.ensure_future(_start(ls))  # noqa: RUF006 -- the loop ends with the server, which this task never outlives


def _collect_again() -> None:
    """The start is over: what was made for it stays, garbage is collected from now on."""
    if not gc.isenabled():
        gc.freeze()
        gc.set_threshold(*COLLECT)
        gc.enable()


def _parent_gone() -> None:
    log.warning("The editor's process is gone; leaving.")
    os._exit(1)


async def _start(ls: Server) -> None:
    """Settings first (they decide severities), then findings, then watching."""
    try:
        from waybook.lsp.features.configuration import configure, log_where_settings_say
        from waybook.lsp.features.watching import start_watching

        await configure(ls)
        if not ls.folders.all():
            ls.tell_no_folder()
        await ls.documents_examined()
        start_watching(ls)
        ls.diagnose_everything("started")
        log_where_settings_say(ls)
        _collect_again()
        ls.start_counting()
        from waybook.lsp.pulse import Pulse

        await Pulse(ls).beat()
    except Exception as error:  # a server without watching or settings still answers
        log.exception("Starting failed")
        ls.tell_failure(error)
