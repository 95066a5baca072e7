"""history.search and history.read: within what one run may recall, checked anew at every call."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from waybook.base.canonical import sha256_hex
from waybook.base.clock import timestamp
from waybook.base.errors import NotFoundError, RefusedError, UsageError
from waybook.recall import cursor as cursors
from waybook.recall import handle as handles
from waybook.recall import matching, pages, repository
from waybook.recall.handle import Handle
from waybook.recall.model import MAX_RESULTS, MAX_SCANNED, PAGE_BYTES, Hit, Lineage, Page, Results

if TYPE_CHECKING:
    from waybook.recall.cursor import Cursor, Mark
    from waybook.recall.matching import Query
    from waybook.recall.model import Record
    from waybook.recall.pages import Wish
    from waybook.store.store import Connection, Store

_BATCH = 32
"""Records fetched from one source at a time."""


class RecallService:
    """Recall of every run; a run sees its own lineage only."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def search(self, run_id: str, query: str, *, limit: int = MAX_RESULTS, cursor: str = "") -> Results:
        """Records that hold the query, newest first; all of them for an empty one.

        Looks at up to 256 records a call: a page may be short, or empty, and still have a cursor. Raises `UsageError`,
        and `NotFoundError` for an unknown run or one whose chain is broken.
        """
        wanted = matching.parse(query)
        if not 1 <= limit <= MAX_RESULTS:
            raise UsageError(
                f"A page has 1 to {MAX_RESULTS} results.",
                code="bad-limit",
                limit=MAX_RESULTS,
                hint="Pass another limit.",
            )
        bound = cursors.query_digest(wanted.folded)
        now = timestamp(self._store.clock.now())
        with self._store.read() as connection:
            chain = require_lineage(connection, run_id)
            if cursor:
                shapes = {name: source.shape for name, source in repository.SOURCES.items()}
                state = cursors.parse(cursor, run_id, bound, shapes)
            else:
                state = _begin(connection, chain, bound, now)
            return _Walk(connection, chain, now, state).page(wanted, limit)

    def read(self, run_id: str, handle: str, wish: Wish) -> Page:
        """A page of what a search of this run found.

        Raises `ConflictError` where it changed, `NotFoundError` (code `not-available`) where this run may not see it any
        more, `RefusedError` for another run's handle, `UsageError`.
        """
        bound = handles.parse(handle)
        if bound.run_id != run_id:
            raise RefusedError("This handle belongs to another run.", code="wrong-run", hint="Search in this run.")
        now = timestamp(self._store.clock.now())
        with self._store.read() as connection:
            chain = require_lineage(connection, run_id)
            record = _find(connection, chain, now, bound)
        if record is None or chain.workspace_id != bound.workspace_id:
            raise not_available()
        if handle_of(chain, record) != bound:
            raise pages.changed()
        digest = pages.require_hash(record.text, wish)
        part = pages.cut(record.text, replace(wish, max_bytes=wish.max_bytes or PAGE_BYTES))
        return Page(
            handle=handle,
            kind=record.kind,
            id=record.id,
            title=record.title,
            at=record.at,
            version=record.version,
            text=part.text,
            offset=part.offset,
            next_offset=part.next_offset,
            total_bytes=part.total_bytes,
            content_sha256=digest,
        )


def require_lineage(connection: Connection, run_id: str) -> Lineage:
    """The validated chain of a run. Raises `NotFoundError`."""
    found = repository.lineage(connection, run_id)
    if found is None:
        raise NotFoundError(
            f"There is no run {run_id!r} with a whole chain.", code="no-run", hint="`waybook run list` shows the runs."
        )
    return found


def not_available() -> NotFoundError:
    """The one answer for what is disabled, expired, deleted, invisible or was never there: no text, no reason."""
    return NotFoundError("This source is not available.", code="not-available", hint="Search again.")


def handle_of(chain: Lineage, record: Record) -> Handle:
    """The handle that a record has now."""
    digest = sha256_hex(record.text)
    return Handle(chain.run_id, chain.workspace_id, record.kind, record.id, record.version, digest, record.state)


def _find(connection: Connection, chain: Lineage, now: str, bound: Handle) -> Record | None:
    for name in repository.sources_of(bound.kind):
        record = repository.SOURCES[name].find(connection, chain, now, bound.id)
        if record is not None and record.kind == bound.kind:
            return record
    return None


def _begin(connection: Connection, chain: Lineage, bound: str, now: str) -> Cursor:
    marks = {name: cursors.Mark(source.newest(connection, chain, now)) for name, source in repository.SOURCES.items()}
    return cursors.Cursor(chain.run_id, bound, marks)


@dataclass(slots=True)
class _Head:
    """A source on its way: what was fetched and not looked at yet."""

    mark: Mark
    waiting: list[Record] = field(default_factory=list)
    ended: bool = False


class _Walk:
    """Goes through the sources side by side, always on with the newest record; remembers where it was in each."""

    def __init__(self, connection: Connection, chain: Lineage, now: str, state: Cursor) -> None:
        self._connection = connection
        self._chain = chain
        self._now = now
        self._state = state
        ordered = sorted(state.marks, key=list(repository.SOURCES).index)
        self._heads = {name: _Head(state.marks[name]) for name in ordered}

    def page(self, wanted: Query, limit: int) -> Results:
        """The next page."""
        hits: list[Hit] = []
        scanned = 0
        while (name := self._newest()) is not None:
            if len(hits) == limit or scanned == MAX_SCANNED:
                break
            head = self._heads[name]
            record = head.waiting.pop(0)
            head.mark = cursors.Mark(head.mark.high, record.place)
            scanned += 1
            if wanted.holds(record):
                hits.append(_hit(self._chain, record, wanted))
        rest = "" if name is None else cursors.write(replace(self._state, marks=self._marks()))
        return Results(self._chain.run_id, wanted.text, tuple(hits), scanned, rest)

    def _marks(self) -> dict[str, Mark]:
        return {name: head.mark for name, head in self._heads.items()}

    def _newest(self) -> str | None:
        best: str | None = None
        for name, head in self._heads.items():
            self._fill(name, head)
            if head.waiting and (best is None or head.waiting[0].at > self._heads[best].waiting[0].at):
                best = name
        return best

    def _fill(self, name: str, head: _Head) -> None:
        if head.waiting or head.ended:
            return
        if head.mark.high is not None:
            head.waiting = repository.SOURCES[name].page(
                self._connection, self._chain, self._now, high=head.mark.high, after=head.mark.after, limit=_BATCH
            )
        head.ended = not head.waiting


def _hit(chain: Lineage, record: Record, wanted: Query) -> Hit:
    size = len(record.text.encode("utf-8", "replace"))
    handle = handles.write(handle_of(chain, record))
    return Hit(record.kind, record.id, record.title, record.at, wanted.excerpt(record.text), size, handle)
