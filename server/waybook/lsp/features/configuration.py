"""Settings from the client: `workspace/configuration`, its change notification, and `initializationOptions`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from waybook.lsp.logs import log_to_file

if TYPE_CHECKING:
    from waybook.lsp.language_server import Server

log = logging.getLogger(__name__)
SECTION = "waybook"
ANSWER_SECONDS = 3.0


async def configure(ls: Server, pushed: Any = None) -> None:
    """Ask for the settings (or take the pushed ones), put them in force and warn about what is passed over."""
    await _register(ls)
    answer = await _asked(ls) if ls.client.configuration else None
    configuration = merged(answer if answer is not None else pushed)
    layers = [("initializationOptions", merged(ls.initialization_options)), ("workspace/configuration", configuration)]
    ls.set_settings([layer for layer in layers if layer[1]])
    roots = [folder.root for folder in ls.folders.all()] or [""]
    for root in roots:
        for warning in (await ls.work(partial(ls.app.settings, root))).warnings:
            ls.tell_once(f"setting:{warning}", f"Waybook settings: {warning}")


async def _asked(ls: Server) -> Any:
    params = types.ConfigurationParams([types.ConfigurationItem(section=SECTION)])
    try:
        answer = await asyncio.wait_for(ls.protocol.ask(types.WORKSPACE_CONFIGURATION, params), ANSWER_SECONDS)
    except (TimeoutError, JsonRpcException) as error:
        log.warning("The client did not tell its settings: %s %s", type(error).__name__, error)
        return None
    return answer[0] if isinstance(answer, list | tuple) and answer else None


async def _register(ls: Server) -> None:
    """Ask once to be told about changes, where the client wants to be asked."""
    if not ls.client.registers_configuration or ls.registered_configuration:
        return
    ls.registered_configuration = True
    options = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
    registration = types.Registration("waybook-settings", types.WORKSPACE_DID_CHANGE_CONFIGURATION, options)
    ls.protocol.send_request(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))


def log_where_settings_say(ls: Server) -> None:
    """Start the log file: its directory and level are settings."""
    from waybook.store.paths import locate

    settings = ls.app.settings().settings
    directory = str(PurePath(locate("", settings.data_dir).path).parent)
    path = log_to_file(directory, settings.log_level)
    if path is None:
        log.warning("No log file can be written in %s.", directory)


async def did_change_configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """Settings changed: put them in force and look at everything again."""
    await configure(ls, params.settings)
    ls.start_counting()
    ls.diagnose_everything("settings")


def merged(options: Any) -> dict[str, Any]:
    """Options as the client sent them, whether wrapped in a `waybook` section or not."""
    if not isinstance(options, Mapping):
        return {}
    inner = options.get("waybook")
    return dict(inner) if isinstance(inner, Mapping) and len(options) == 1 else dict(options)
