"""Sessions as a person asks for them: what is kept, and what still only lies in the agents' folders."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from waybook.base.errors import NotFoundError, UsageError
from waybook.sessions.messages.model import Conversation, Session
from waybook.sessions.messages.order import arranged
from waybook.sessions.transcripts import reading, repository
from waybook.sessions.transcripts.cleanup import cleanup_notes
from waybook.sessions.transcripts.instructions import linked
from waybook.sessions.transcripts.memory import Shelf
from waybook.sessions.transcripts.service import ImportService, Outcome, find
from waybook.sessions.transcripts.state import FileState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waybook.base.cancel import Progress
    from waybook.sessions.messages.model import Found
    from waybook.sessions.messages.service import MessageService
    from waybook.sessions.transcripts.model import Source
    from waybook.sessions.transcripts.readers.model import Format, Places
    from waybook.store.store import Store

WHOLE_BYTES = 8 << 20
"""A transcript that was not imported is read as a whole for a list up to this size; of a larger one, both ends are."""
LIST_BYTES = 64 << 20
"""So much is read as a whole for one list; what comes after is glimpsed at as well."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which sessions are meant: of one agent, of one project (`cwd`); empty means all."""

    agent: str = ""
    cwd: str = ""

    def covers(self, session: Session) -> bool:
        """Whether a session is meant."""
        return self.agent in {"", session.agent} and _within(session.cwd, self.cwd)


@dataclass(frozen=True, slots=True)
class Listing:
    """Sessions, newest first. `pending` files have changed since they were imported, or never were."""

    sessions: tuple[Session, ...]
    pending: int


@dataclass(frozen=True, slots=True)
class Scanned:
    """One agent's transcripts as they lie there: how many files, bytes, and how many an import would read."""

    agent: str
    files: int
    bytes: int
    pending: int


@dataclass(frozen=True, slots=True)
class FileProblem:
    """What was wrong with a transcript when it was last imported. `torn`: its last line is not whole yet."""

    path: str
    agent: str
    damaged: int
    damage: tuple[tuple[int, str, str], ...]
    unknown: Mapping[str, int]
    torn: bool


class SessionDesk:
    """Made for one store and one person's places. `mask` hides secrets in whatever is kept or shown.

    `below`: only sessions that were read below this home directory are listed and searched; empty means all.
    """

    def __init__(
        self,
        store: Store,
        messages: MessageService,
        places: Places,
        mask: Callable[[str], str],
        below: str = "",
    ) -> None:
        self._store = store
        self._messages = messages
        self._places = places
        self._mask = mask
        self._below = below

    def scan(self, agent: str, progress: Progress) -> tuple[Scanned, ...]:
        """What lies in the agents' folders; opens no transcript."""
        known = self._known()
        files: Counter[str] = Counter()
        sizes: Counter[str] = Counter()
        pending: Counter[str] = Counter()
        for form, source in find(self._places, agent):
            progress.step("looking for sessions", files.total())
            todo = _plan(form, source, known)
            files[source.agent] += 1
            sizes[source.agent] += todo.start.size
            pending[source.agent] += todo.kind not in {"same", "gone"}
        return tuple(Scanned(name, count, sizes[name], pending[name]) for name, count in sorted(files.items()))

    def bring(self, agent: str, progress: Progress) -> Outcome:
        """Import what is new."""
        return ImportService(self._store, self._mask).run(find(self._places, agent), progress)

    def listing(self, scope: Scope, progress: Progress, *, children: bool = False) -> Listing:
        """Every session that is kept or lies in a folder that was never imported."""
        kept = self._messages.sessions(agent=scope.agent, below=self._below, cwd=scope.cwd, children=True)
        fresh, pending = self._fresh(scope.agent)
        shelf = self._shelf(fresh, progress)
        have = {(session.agent, session.native_id) for session in kept}
        found = [one for one in shelf.sessions() if (one.agent, one.native_id) not in have and scope.covers(one)]
        every = [one for one in (*kept, *found) if children or not one.parent]
        every = [one for one in every if one.messages != 0 or one.calls or one.inherited or not one.parent]
        every.sort(key=lambda one: one.id)
        every.sort(key=lambda one: one.updated_at, reverse=True)
        return Listing(tuple(every), pending)

    def conversation(self, name: str, agent: str, environ: Mapping[str, str], progress: Progress) -> Conversation:
        """The session that an id, a native id, `latest` or the beginning of an id means.

        Raises `NotFoundError`, and `UsageError` when several are meant.
        """
        if not name.strip():
            raise UsageError("Name a session.", code="bad-session", hint="See `waybook sessions list`.")
        named = _unfold(self._messages.named(name, agent))
        if len(named) == 1:
            found = self._messages.conversation(named[0].id)
        elif named:
            raise _ambiguous(name, named)
        else:
            found = self._unkept(name, agent, progress)
        return replace(found, instructions=linked(found.session, self._places.home, environ))

    def search(self, query: str, scope: Scope, limit: int) -> tuple[Found, ...]:
        """Where the sessions that are kept hold a text."""
        return self._messages.search(query, agent=scope.agent, below=self._below, cwd=scope.cwd, limit=limit)

    def problems(self) -> tuple[FileProblem, ...]:
        """What earlier imports could not read or did not know, by file."""
        return tuple(
            FileProblem(state.path, state.agent, state.damaged, state.damage, state.unknown, _torn(state))
            for state in self._known().values()
            if state.damaged or state.unknown or _torn(state)
        )

    def cleanup_notes(self) -> tuple[str, ...]:
        """Settings by which agents delete transcripts, as sentences."""
        return cleanup_notes(self._places)

    # --- what was never imported --------------------------------------------------------------------------------------

    def _known(self) -> dict[str, FileState]:
        with self._store.read() as connection:
            return repository.file_states(connection)

    def _fresh(self, agent: str) -> tuple[list[tuple[Format, Source, int]], int]:
        """Sources that were never imported, newest first, with their sizes; and how many an import would read."""
        known = self._known()
        fresh: list[tuple[int, Format, Source, int]] = []
        pending = 0
        for form, source in find(self._places, agent):
            todo = _plan(form, source, known)
            if todo.kind in {"same", "gone"}:
                continue
            pending += 1
            if todo.kind == "fresh":
                fresh.append((todo.start.mtime_ns, form, source, todo.start.size))
        fresh.sort(key=lambda each: each[0], reverse=True)
        return [(form, source, size) for _, form, source, size in fresh], pending

    def _shelf(self, fresh: list[tuple[Format, Source, int]], progress: Progress) -> Shelf:
        shelf = Shelf(self._mask, light=True)
        left = LIST_BYTES
        late: list[tuple[Format, Source, int]] = []
        for number, (form, source, size) in enumerate(fresh):
            progress.step("reading sessions", number, len(fresh))
            if form.names_only:
                late.append((form, source, size))
                continue
            whole = size <= min(WHOLE_BYTES, left) or form.log is None
            left -= size if whole else 2 * reading.GLIMPSE_BYTES
            _read(shelf, form, source, whole=whole)
        for form, source, _ in late:  # names of sessions, once these are known
            _read(shelf, form, source, whole=True)
        return shelf

    def _unkept(self, name: str, agent: str, progress: Progress) -> Conversation:
        fresh, _ = self._fresh(agent)
        listed = self._shelf(fresh, progress).sessions()
        exact = tuple(one for one in listed if name in {one.id, one.native_id})
        named = exact or tuple(one for one in listed if one.id.startswith(name) or one.native_id.startswith(name))
        named = _unfold(named)
        if not named:
            raise NotFoundError(
                f"There is no session {name}.", code="no-session", hint="See `waybook sessions list`, also with --home."
            )
        if len(named) > 1:
            raise _ambiguous(name, named)
        (session,) = named
        wanted = {session.path} | {one.path for one in listed if _related(one, session)}
        shelf = Shelf(self._mask)
        for form, source, _ in fresh:
            if source.path in wanted or form.names_only:
                _read(shelf, form, source, whole=True)
        every = {(one.agent, one.native_id): one for one in shelf.sessions()}
        session = every[session.agent, session.native_id]
        messages = arranged(shelf.messages(session.agent, session.native_id))
        children = [one for one in every.values() if one.parent == session.native_id]
        forks = [one for one in every.values() if one.forked_from == session.native_id]
        return Conversation(session, messages, tuple(children), tuple(forks))


def _read(shelf: Shelf, form: Format, source: Source, *, whole: bool) -> None:
    try:
        if whole:
            shelf.read(form, source)
        else:
            shelf.glimpse(form, source)
    except OSError:
        return  # an import says what is wrong with the file


def _plan(form: Format, source: Source, known: dict[str, FileState]) -> reading.Plan:
    return reading.plan(source, form, known.get(source.path), FileState(source.path, source.agent))


def _related(one: Session, session: Session) -> bool:
    """Whether a session helps to show another: its subagents, its forks, what it was forked from."""
    names = {one.parent, one.forked_from}
    return one.agent == session.agent and (session.native_id in names or one.native_id == session.forked_from)


def _torn(state: FileState) -> bool:
    return bool(state.line) and state.mtime_ns != reading.UNFINISHED and state.position < state.size


def _unfold(named: tuple[Session, ...]) -> tuple[Session, ...]:
    """Without subagents where their session is meant as well: their ids begin with its id."""
    mains = tuple(one for one in named if not one.parent)
    return mains or named


def _within(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(folder.rstrip("/") + "/")


def _ambiguous(name: str, found: tuple[Session, ...]) -> UsageError:
    ids = ", ".join(one.id for one in found[:5])
    return UsageError(
        f"{name} may mean {len(found)} sessions: {ids}.", code="ambiguous-session", hint="Give more of the id."
    )
