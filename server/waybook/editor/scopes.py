"""Which directory a file speaks for, and who inherits it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.workspace.agent_files import agent_file

if TYPE_CHECKING:
    from waybook.analysis.view import View
    from waybook.instructions.model import Snapshot, Source


def scope_of_file(path: str) -> str:
    """The directory an instruction file speaks for; an agent's own folder speaks for the directory that holds it."""
    own = agent_file(path)
    if own is not None:
        return own.owner
    parts = path.split("/")
    for index, part in enumerate(parts[:-1]):
        if part == ".prayu" or (part == ".claude" and index == len(parts) - 2):
            return "/".join(parts[:index])
    return "/".join(parts[:-1])


def own_source(view: View, path: str) -> tuple[Snapshot, Source] | None:
    """The chain of the directory a file speaks for, and the file's place in it; None when it is not read there."""
    snapshot = view.snapshots.get(scope_of_file(path))
    if snapshot is None:
        return None
    return next(((snapshot, source) for source in snapshot.sources if source.path == path), None)


def holders(view: View, path: str) -> list[str]:
    """The scopes whose chain holds a file, sorted; its own among them."""
    return [
        scope
        for scope, snapshot in sorted(view.snapshots.items())
        if any(source.path == path for source in snapshot.sources)
    ]


def ignored_reason(view: View, path: str) -> str | None:
    """Why a file is not read where it speaks, in the protocol's words; None when it is, or nothing is known."""
    snapshot = view.snapshots.get(scope_of_file(path))
    if snapshot is None:
        return None
    return next((item.reason for item in snapshot.ignored if item.path == path), None)
