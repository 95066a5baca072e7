"""Register workspaces; create, list and show runs."""

from __future__ import annotations

import posixpath
from pathlib import PurePath
from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import NotFoundError, UsageError
from waybook.instructions.ledger import append, no_run
from waybook.instructions.stored import Mask, difference
from waybook.sessions import repository
from waybook.sessions.model import Run, RunState, Workspace
from waybook.sessions.threads.service import append_run

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.instructions.model import Snapshot
    from waybook.store.store import Connection, Store

MAX_GOAL_BYTES = 16 * 1024
MAX_PROFILE_BYTES = 64
MAX_LISTED = 500


class RunService:
    """Workspaces, missions and runs. `mask` hides secrets in what is stored."""

    def __init__(self, store: Store, *, mask: Mask) -> None:
        self._store = store
        self._mask = mask

    def workspaces(self) -> tuple[Workspace, ...]:
        """Every registered workspace, by name."""
        with self._store.read() as connection:
            return repository.all_workspaces(connection)

    def workspace(self, reference: str) -> Workspace:
        """The workspace of an id, an absolute root path or a name. Raises `NotFoundError`."""
        with self._store.read() as connection:
            found = _find(connection, reference)
        if found is None:
            msg = f"No workspace {reference!r} is registered."
            raise NotFoundError(
                msg,
                code="no-workspace",
                hint="`waybook workspace list` shows the registered ones; a first run or pin registers a directory.",
            )
        return found

    def register(self, root: str) -> Workspace:
        """The workspace of a root (absolute, resolved), registered on first use under its directory's name.

        A name that is taken gets a suffix: `app`, `app-2`, `app-3`. Raises `UsageError` for a path that is not absolute
        or cannot be stored.
        """
        _check_root(root)
        with self._store.read() as connection:
            found = repository.workspace_by(connection, key="root_path", value=root)
        if found is not None:
            return found
        with self._store.write() as connection:
            return self._register(connection, root)

    def _register(self, connection: Connection, root: str) -> Workspace:
        found = repository.workspace_by(connection, key="root_path", value=root)
        if found is not None:
            return found
        base = PurePath(root).name or "root"
        name, number = base, 1
        while repository.workspace_by(connection, key="name", value=name):
            number += 1
            name = f"{base}-{number}"
        workspace = Workspace(self._store.ids.new("ws"), root, name, timestamp(self._store.clock.now()))
        repository.add_workspace(connection, workspace)
        return workspace

    def create_run(
        self,
        workspace: str,
        goal: str,
        profile: str,
        target: str,
        snapshot: Snapshot,
        actor: Actor,
        *,
        thread: str = "",
    ) -> Run:
        """Create a mission with its first run, pinned to `snapshot` as revision 1, in one transaction.

        `workspace` is an absolute root (registered on first use), an id or a name; `target` is what the snapshot was
        discovered for; `thread` makes it that thread's next run. Creating a run pins instructions, so only an operator
        may. Raises `UsageError`, `NotFoundError`, `RefusedError`, or `ConflictError` for a closed thread; then nothing
        was written.
        """
        actor.require_operator("create a run")
        goal, profile = _check_text("goal", goal, MAX_GOAL_BYTES), _check_text("profile", profile, MAX_PROFILE_BYTES)
        if posixpath.normpath(target or ".") != snapshot.target_path:
            msg = f"The snapshot is that of {snapshot.target_path!r}, not of {target!r}."
            raise UsageError(msg, code="wrong-snapshot")
        _check_storable("target", snapshot.target_path)
        if PurePath(workspace).is_absolute():
            _check_root(workspace)
        with self._store.write() as connection:
            owner = _find(connection, workspace)
            if owner is None and PurePath(workspace).is_absolute():
                owner = self._register(connection, workspace)
            if owner is None:
                msg = f"No workspace {workspace!r} is registered."
                raise NotFoundError(msg, code="no-workspace")
            now = timestamp(self._store.clock.now())
            run = Run(
                id=self._store.ids.new("run"),
                mission_id=self._store.ids.new("mis"),
                workspace_id=owner.id,
                workspace=owner.name,
                goal=self._mask(goal),
                profile=profile,
                target=snapshot.target_path,
                state=RunState.CREATED,
                revision=1,
                fingerprint=snapshot.fingerprint,
                created_by=actor.name,
                created_at=now,
                updated_at=now,
            )
            repository.add_run(connection, run)
            if thread:
                append_run(connection, thread, run.id, owner.id, now)
            append(connection, run.id, snapshot, difference(None, snapshot), actor, now, self._mask)
            return run

    def show_run(self, run_id: str) -> Run:
        """The run of this id. Raises `NotFoundError`."""
        with self._store.read() as connection:
            run = repository.find_run(connection, run_id)
        if run is None:
            raise no_run(run_id)
        return run

    def list_runs(self, workspace: str = "", limit: int = MAX_LISTED) -> tuple[Run, ...]:
        """The newest runs first, of one workspace (id, root or name) or of all; at most 500."""
        if not 1 <= limit <= MAX_LISTED:
            msg = f"A list has 1 to {MAX_LISTED} runs."
            raise UsageError(msg, code="bad-limit", limit=MAX_LISTED)
        workspace_id = self.workspace(workspace).id if workspace else ""
        with self._store.read() as connection:
            return repository.list_runs(connection, workspace_id, limit)


def _find(connection: Connection, reference: str) -> Workspace | None:
    """By path, id or name; an id wins over a workspace that happens to be named like it."""
    if not _is_storable(reference):
        return None
    for key in ("root_path",) if PurePath(reference).is_absolute() else ("id", "name"):
        found = repository.workspace_by(connection, key=key, value=reference)
        if found is not None:
            return found
    return None


def _check_root(root: str) -> None:
    if not PurePath(root).is_absolute():
        msg = f"The workspace root {root!r} is not absolute."
        raise UsageError(msg, code="bad-path")
    _check_storable("workspace root", root)


def _check_text(what: str, text: str, limit: int) -> str:
    text = text.strip()
    _check_storable(what, text)
    if not 1 <= len(text.encode()) <= limit:
        msg = f"A {what} has 1 to {limit} bytes."
        raise UsageError(msg, code=f"bad-{what}", limit=limit)
    return text


def _is_storable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def _check_storable(what: str, text: str) -> None:
    if not _is_storable(text):
        msg = f"The {what} {text!r} holds NUL or bytes that are not UTF-8."
        raise UsageError(msg, code="bad-text")
