"""Answering searches from a corpus that follows the database, whoever wrote to it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from waybook.base.canonical import digest
from waybook.base.clock import timestamp
from waybook.memory import repository
from waybook.memory.cursor import pack, unpack
from waybook.memory.model import Hit, Hits
from waybook.memory.search import Admission, Corpus, Entry, best, entry, excerpt, terms
from waybook.memory.service import require_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.memory.repository import Owner
    from waybook.memory.search import Key
    from waybook.store.store import Connection, Store

KEPT_BYTES = 64 * 1024 * 1024
"""A larger corpus is made anew for each search rather than kept in memory."""
RECENT = 256
"""So many changes are searched beside the large corpus before that is made anew."""


class SearchService:
    """Searches memories. Keep one per process: the corpus is made at the first search and then follows the changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._number = 0
        self._entries: dict[str, Entry] = {}
        self._view: View | None = None

    def search(
        self, query: str, owners: Sequence[Owner], *, everything: bool = False, limit: int = 20, cursor: str = ""
    ) -> Hits:
        """The memories of these owners that hold every term, best first; a page of 1 to 500.

        Score, then newest update, then id. `everything` includes disabled and expired ones. Raises `UsageError` for a
        query without terms, and for a cursor of another search.
        """
        require_page(limit)
        wanted = terms(query)
        belongs = frozenset((scope.value, owner) for scope, owner in owners)
        kind = digest(["search", [term.decode() for term in wanted], sorted(belongs), everything])[:16]
        after = unpack(cursor, kind, int, int, str)
        now = timestamp(self._store.clock.now())
        only = Admission(belongs, now, everything)
        with self._store.read() as connection:
            total, shown = self._current(connection).top(
                wanted, only, limit + 1, (after[0], after[1], after[2]) if after else None
            )
            records = repository.by_ids(connection, [key[2] for key in shown[:limit]], now)
        hits = tuple(
            Hit(records[id_], -score, excerpt(records[id_].content, wanted)) for score, _, id_ in shown[:limit]
        )
        return Hits(hits, total, pack(kind, *shown[limit - 1]) if len(shown) > limit else "")

    def _current(self, connection: Connection) -> View:
        """What this connection sees, laid out for searching."""
        with self._lock:
            number = repository.change_number(connection)
            if self._view is not None and number == self._number:
                return self._view
            if self._view is None or number < self._number:  # the first look, or another database in its place
                self._entries, self._number, self._view = {}, 0, None
            changed = self._follow(connection)
            view = _next_view(self._view, self._entries, changed)
            if view.base.size <= KEPT_BYTES:
                self._view, self._number = view, number
            else:
                self._entries, self._view = {}, None
            return view

    def _follow(self, connection: Connection) -> set[str]:
        """Bring the entries up to date; answers the ids of those that were written or are gone."""
        rows = repository.changed_since(connection, self._number)
        self._entries.update((row[0], entry(row)) for row in rows)
        changed = {row[0] for row in rows}
        if len(self._entries) != repository.count(connection):
            gone = self._entries.keys() - repository.ids(connection)
            for id_ in gone:
                del self._entries[id_]
            changed |= gone
        return changed


@dataclass(frozen=True, slots=True)
class View:
    """A large corpus, what was written since it was made, and the ids that count no longer in it."""

    base: Corpus
    recent: Corpus
    outdated: frozenset[str]

    def top(self, wanted: Sequence[bytes], only: Admission, limit: int, after: Key | None) -> tuple[int, list[Key]]:
        """How many admitted entries hold every term, and the keys of the best `limit` of them behind `after`, in order."""
        if not self.outdated:
            return self.base.top(wanted, only, limit, after)
        old, known = self.base.top(wanted, replace(only, without=self.outdated), limit, after)
        new, written = self.recent.top(wanted, only, limit, after)
        return old + new, best([*known, *written], limit, None)


def _next_view(view: View | None, entries: dict[str, Entry], changed: set[str]) -> View:
    """The view of these entries; the large corpus is made anew only after many changes."""
    outdated = changed if view is None else view.outdated | changed
    if view is None or len(outdated) > RECENT:
        return View(Corpus(entries.values()), Corpus(()), frozenset())
    return View(view.base, Corpus(entries[id_] for id_ in outdated if id_ in entries), frozenset(outdated))
