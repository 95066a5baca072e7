"""Create, list, show and close threads; put runs into their chains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import ConflictError, NotFoundError, RefusedError
from waybook.secrets import require_clean
from waybook.sessions.text import MAX_LISTED, require_limit, title_line
from waybook.sessions.threads import repository
from waybook.sessions.threads.model import ChainedRun, Thread

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.sessions.model import Workspace
    from waybook.store.store import Connection, Store

MAX_CHAIN = 1024
"""Runs of one thread, as recall's validated chain has it."""


class ThreadService:
    """Threads of every workspace."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def create(self, workspace: Workspace, title: str, actor: Actor) -> Thread:
        """Open a thread.

        Raises `UsageError` for a bad title, `RefusedError` for a secret in it or a caller who is no operator.
        """
        actor.require_operator("open a thread")
        title = title_line(title)
        require_clean(title, field="title")
        with self._store.write() as connection:
            now = timestamp(self._store.clock.now())
            thread = Thread(
                id=self._store.ids.new("thr"),
                workspace_id=workspace.id,
                workspace=workspace.name,
                title=title,
                state="open",
                runs=0,
                pins=0,
                version=1,
                created_by=actor.name,
                updated_by=actor.name,
                created_at=now,
                updated_at=now,
            )
            repository.add_thread(connection, thread)
            return thread

    def list(self, workspace_id: str = "", *, closed: bool = False, limit: int = MAX_LISTED) -> tuple[Thread, ...]:
        """The newest first, of one workspace or of all; open ones unless `closed`; at most 500."""
        require_limit(limit, "threads")
        with self._store.read() as connection:
            return repository.list_threads(connection, workspace_id, closed=closed, limit=limit)

    def show(self, thread_id: str) -> tuple[Thread, tuple[ChainedRun, ...]]:
        """A thread and its runs, oldest first. Raises `NotFoundError`."""
        with self._store.read() as connection:
            return require_thread(connection, thread_id), repository.chain(connection, thread_id)

    def close(self, thread_id: str, expected_version: int, actor: Actor) -> Thread:
        """Close a thread for good; what nobody answered in it expires. Raises `ConflictError` for another version."""
        actor.require_operator("close a thread")
        with self._store.write() as connection:
            thread = require_thread(connection, thread_id)
            require_version("thread", thread.id, thread.version, expected_version)
            _require_open(thread)
            repository.close_thread(connection, thread, actor.name, timestamp(self._store.clock.now()))
            return require_thread(connection, thread_id)


def require_thread(connection: Connection, thread_id: str) -> Thread:
    """The thread of this id. Raises `NotFoundError`."""
    thread = repository.find_thread(connection, thread_id)
    if thread is None:
        msg = f"There is no thread {thread_id!r}."
        raise NotFoundError(msg, code="no-thread", hint="`waybook thread list` shows the threads.")
    return thread


def require_open_thread(connection: Connection, thread_id: str) -> Thread:
    """The open thread of this id. Raises `NotFoundError`, or `ConflictError` for a closed one."""
    thread = require_thread(connection, thread_id)
    _require_open(thread)
    return thread


def _require_open(thread: Thread) -> None:
    if thread.state != "open":
        msg = f"Thread {thread.id} is closed and takes nothing new."
        raise ConflictError(msg, code="thread-closed", hint="Open a new thread: waybook thread create --title TEXT")


def append_run(connection: Connection, thread_id: str, run_id: str, workspace_id: str, now: str) -> None:
    """Make a new run the successor of the thread's last one, within the caller's transaction.

    Raises `NotFoundError`, `ConflictError` for a closed thread, `RefusedError` for one of another workspace or one that
    has 1,024 runs.
    """
    thread = require_open_thread(connection, thread_id)
    if thread.workspace_id != workspace_id:
        msg = f"Thread {thread.id} belongs to the workspace {thread.workspace}."
        raise RefusedError(msg, code="wrong-workspace", hint="Create the run there, or in a thread of its workspace.")
    if thread.runs >= MAX_CHAIN:
        msg = f"Thread {thread.id} has {MAX_CHAIN:,} runs, the most a thread has."
        raise RefusedError(msg, code="chain-full", limit=MAX_CHAIN, hint="Open a new thread.")
    repository.add_run(connection, thread_id, thread.runs + 1, run_id, now)


def require_version(what: str, record_id: str, current: int, expected: int) -> None:
    """Raise `ConflictError` (code `version-conflict`) that shows the current version."""
    if current != expected:
        raise ConflictError(
            f"The {what} {record_id} is at version {current}, not {expected}; nothing was written.",
            code="version-conflict",
            hint=f"Look at it again, then pass version {current}.",
            current_version=current,
            expected_version=expected,
        )
