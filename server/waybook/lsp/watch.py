"""Which files and directories matter, and what is done when one changes; who watches depends on the client."""

from __future__ import annotations

import logging
import os
from pathlib import PurePath
from typing import TYPE_CHECKING

from lsprotocol import types

from waybook.workspace.agent_files import NAMES, agent_file
from waybook.workspace.watch import Watcher, is_directory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.analysis.view import View
    from waybook.lsp.folders import Folder
    from waybook.lsp.language_server import Server

log = logging.getLogger(__name__)

GLOBS = (
    "**/AGENTS.md",
    "**/AGENTS.override.md",
    "**/CLAUDE.md",
    "**/.prayu",
    "**/.prayu/instructions.md",
    "**/.prayu/instructions.ignore",
    "**/.prayu/rules",
    "**/.prayu/rules/**",
    "**/waybook.toml",
    *(f"**/{name}" for name in sorted(NAMES)),
    "**/.clinerules/**",
    "**/.github/copilot-instructions.md",
    "**/.github/instructions/**",
    "**/.claude/**",
    "**/.{cursor,cline,windsurf,devin}/rules/**",
    "**/.{roo,qwen}/**",
    "**/.{codex,gemini}/*.{toml,json}",
    "**/opencode.{json,jsonc}",
)
"""What a client is asked to watch: instruction files of every agent and what decides about them, nothing else."""

_NAMES = frozenset(
    {"agents.md", "agents.override.md", "claude.md", "instructions.md", "instructions.ignore", "waybook.toml"}
)
_HOLDERS = frozenset({".prayu", ".claude", "rules"})
_SETTINGS = frozenset(
    {"settings.json", "settings.local.json", "config.toml", "opencode.json", "opencode.jsonc"}
)  # of agents: they change what loads


def matters(path: str) -> bool:
    """Whether a change of this absolute path can change what instructions say."""
    parts = path.replace(os.sep, "/").split("/")
    name = parts[-1].lower()
    if name in _NAMES or name in _HOLDERS or (".prayu" in parts and "rules" in parts):
        return True
    return name in _SETTINGS or agent_file("/".join(parts).lstrip("/")) is not None


class Watching:
    """Follows the workspace folders. Made and asked by the event loop; told by the watcher's thread."""

    def __init__(self, ls: Server) -> None:
        self._ls = ls
        self._by_client = ls.client.watches_files
        self._watcher: Watcher | None = None
        self._directories: dict[str, frozenset[str]] = {}

    def start(self) -> None:
        """Ask the client to watch, or prepare to do it ourselves."""
        if not self._by_client:
            self._watcher = Watcher(lambda paths: self._ls.from_worker(lambda: self.changed(paths)))
            return
        watchers = [types.FileSystemWatcher(pattern) for pattern in GLOBS]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        registration = types.Registration("waybook-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        self._ls.protocol.send_request(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))

    def follow(self, folder: Folder, view: View) -> None:
        """The directories that matter, after a look at the workspace."""
        if self._watcher is None:
            return
        self._directories[folder.root] = frozenset(folder.absolute(path) for path in directories(view))
        self._renew()

    def forget(self, folder: Folder) -> None:
        """A folder left."""
        self._directories.pop(folder.root, None)
        self._renew()

    def stop(self) -> None:
        """End the watching."""
        if self._watcher is not None:
            self._watcher.stop()

    def changed(self, paths: Iterable[str]) -> None:
        """Something changed on disk; no path at all means anything may have. The disk decides what it was."""
        paths = list(paths)
        folders = self._ls.folders.all()
        if paths:
            owners = [self._ls.folders.owner(path) for path in paths if self._matters(path)]
            folders = tuple(dict.fromkeys(owner for owner in owners if owner is not None))
            if any(PurePath(path).name == "waybook.toml" for path in paths):
                self._ls.settings_changed()
        for folder in folders:
            self._ls.diagnose(folder, "files")

    def _matters(self, path: str) -> bool:
        """An instruction file, a directory that we follow, or a new one, which may hold anything."""
        return matters(path) or any(path in group for group in self._directories.values()) or is_directory(path)

    def _renew(self) -> None:
        if self._watcher is not None:
            self._watcher.follow(path for group in self._directories.values() for path in group)


def directories(view: View) -> set[str]:
    """The workspace-relative directories to watch: those that hold instruction files, and everything above them."""
    found = {""}
    for scope in view.scopes:
        found |= {scope, f"{scope}/.claude".lstrip("/"), f"{scope}/.prayu".lstrip("/")}
    files = (*view.documents, *view.links, *view.agent_links, *view.near_misses)
    found |= {path.rpartition("/")[0] for path in files}
    found |= {".prayu/rules"}
    for path in list(found):
        while path:
            found.add(path)
            path = path.rpartition("/")[0]  # noqa: PLW2901 -- walks up to the root
    return found
