"""One digest of everything a discovery and a check can see of a workspace without following a path by itself."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from waybook.base.errors import DiscoveryError
from waybook.instructions.protocol import IGNORE_FILE

if TYPE_CHECKING:
    from waybook.workspace.agent_files import AgentFiles
    from waybook.workspace.guard import Guard
    from waybook.workspace.walk import Scan

MAX_BYTES = 4 * 1024 * 1024
"""A larger file is no instruction file that anybody analyses; a world with one is not known."""


def world_digest(guard: Guard, scan: Scan, others: AgentFiles) -> str | None:
    """The digest of every name in every directory, and of the bytes of every instruction file and the ignore file.

    None when some candidate cannot be read as a plain file: what is wrong with it shows in more than
    names and bytes. Two equal digests mean the same answer of every scope.
    """
    digest = sha256()
    for directory in sorted(scan.listings):
        digest.update(_line(directory, *scan.listings[directory]))
    for item in scan.links:
        digest.update(_line("link", item.path, item.link_target))
    for link in others.links:
        digest.update(_line("link", *link))
    digest.update(_line("unreadable", *scan.unreadable))
    digest.update(_line("skipped", *scan.skipped))
    try:
        for path in (IGNORE_FILE, *(path for item in scan.scopes for path in item.candidates), *others.files):
            directory, _, name = path.rpartition("/")
            raw = guard.read(directory, name, MAX_BYTES)
            digest.update(_line(path) if raw is None else _line(path, sha256(raw).hexdigest()))
    except DiscoveryError:
        return None
    return digest.hexdigest()


def _line(*words: str) -> bytes:
    return ("\0".join(words) + "\n\0").encode("utf-8", "surrogatepass")
