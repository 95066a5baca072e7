"""What a person means by a name: a run of Waybook's, or the session of an agent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from waybook.base.canonical import sha256_hex
from waybook.base.errors import NotFoundError, UsageError
from waybook.continuity.capture import repository as reading
from waybook.continuity.capture.gather import OWN_AGENT
from waybook.sessions import repository as runs
from waybook.sessions.messages import repository as sessions
from waybook.sessions.transcripts.forks import session_id

if TYPE_CHECKING:
    from waybook.continuity.capture.repository import RunFacts, SessionRow
    from waybook.sessions.model import Workspace
    from waybook.store.store import Connection


@dataclass(frozen=True, slots=True)
class Subject:
    """A run with its session, or a session without a run. `session` is None for a run that has said nothing yet.

    `root` is where it worked (absolute, "" when nobody knows), `target` what its instructions are those of.
    """

    run: RunFacts | None
    session: SessionRow | None
    session_id: str
    root: str
    target: str
    title: str

    @property
    def run_id(self) -> str:
        """The run's id, "" without one."""
        return "" if self.run is None else self.run.id


def session_of_run(run_id: str) -> str:
    """The id of the session that a run has or will have."""
    return session_id(OWN_AGENT, run_id)


def root_node_of_run(run_id: str) -> str:
    """The id of the root node that a run has or will have."""
    return f"nod_{sha256_hex(f'root{chr(0)}{run_id}')[:26]}"


def find_subject(connection: Connection, name: str) -> Subject:
    """The run or session of an id, or of the beginning of a session's id.

    Raises `NotFoundError` for an unknown one and `UsageError` when several are meant.
    """
    name = name.strip()
    if not name or "\0" in name or any("\ud800" <= char <= "\udfff" for char in name):
        raise UsageError("Name a run or a session.", code="bad-session", hint="See `waybook sessions list`.")
    run = reading.run_by(connection, name)
    if run is not None:
        return of_run(connection, run)
    found = sessions.find(connection, name)
    if len(found) > 1:
        ids = ", ".join(session.id for _, session in found[:5])
        raise UsageError(
            f"{name} may mean {len(found)} sessions: {ids}.", code="ambiguous-session", hint="Give more of the id."
        )
    if not found:
        raise NotFoundError(
            f"There is no run or session {name!r}.",
            code="no-session",
            hint="`waybook run list` shows the runs; `waybook sessions import` brings in what agents wrote.",
        )
    return of_session(connection, found[0][1].id)


def of_run(connection: Connection, run: RunFacts) -> Subject:
    """A run as a subject."""
    row = reading.session_by(connection, run_id=run.id)
    name = session_of_run(run.id) if row is None else row.id
    return Subject(run, row, name, run.root, run.target, run.goal)


def of_session(connection: Connection, name: str) -> Subject:
    """A session as a subject; that of a run of Waybook's is the run."""
    row = reading.session_by(connection, id=name)
    if row is None:
        raise NotFoundError(f"There is no session {name!r}.", code="no-session", hint="See `waybook sessions list`.")
    run = reading.run_by(connection, row.run_id) if row.run_id else None
    if run is not None:
        return of_run(connection, run)
    return Subject(
        None, row, row.id, row.cwd if PurePath(row.cwd).is_absolute() else "", ".", row.title or row.native_id
    )


def workspace(connection: Connection, workspace_id: str) -> Workspace:
    """The workspace of this id."""
    found = runs.workspace_by(connection, key="id", value=workspace_id)
    if found is None:
        raise NotFoundError(f"There is no workspace {workspace_id!r}.", code="no-workspace")
    return found
