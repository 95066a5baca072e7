"""Answering searches from a corpus that follows the database, whoever wrote to it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from waybook.base.canonical import digest
from waybook.base.clock import timestamp
from waybook.memory import repository
from waybook.memory.cursor import pack, unpack
from waybook.memory.model import Hit, Hits
from waybook.memory.rules import is_expired
from waybook.memory.search import Corpus, Entry, best, entry, excerpt, terms
from waybook.memory.service import require_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.memory.repository import Owner
    from waybook.store.store import Connection, Store

KEPT_BYTES = 64 * 1024 * 1024
"""A larger corpus is made anew for each search rather than kept in memory."""


class SearchService:
    """Searches memories. Keep one per process: the corpus is made at the first search and then follows the changes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._number = 0
        self._entries: dict[str, Entry] = {}
        self._corpus: Corpus | None = None

    def search(
        self, query: str, owners: Sequence[Owner], *, everything: bool = False, limit: int = 20, cursor: str = ""
    ) -> Hits:
        """The memories of these owners that hold every term, best first; a page of 1 to 500.

        Score, then newest update, then id. `everything` includes disabled and expired ones. Raises `UsageError` for a
        query without terms, and for a cursor of another search.
        """
        require_page(limit)
        wanted = terms(query)
        belongs = {(scope.value, owner) for scope, owner in owners}
        kind = digest(["search", [term.decode() for term in wanted], sorted(belongs), everything])[:16]
        after = unpack(cursor, kind, int, int, str)
        now = timestamp(self._store.clock.now())

        def admit(item: Entry) -> bool:
            if item.owner not in belongs:
                return False
            return everything or not (item.disabled or is_expired(item.retention_until, now))

        with self._store.read() as connection:
            keys = self._current(connection).find(wanted, admit)
            shown = best(keys, limit + 1, (after[0], after[1], after[2]) if after else None)
            records = repository.by_ids(connection, [key[2] for key in shown[:limit]], now)
        hits = tuple(
            Hit(records[id_], -score, excerpt(records[id_].content, wanted)) for score, _, id_ in shown[:limit]
        )
        return Hits(hits, len(keys), pack(kind, *shown[limit - 1]) if len(shown) > limit else "")

    def _current(self, connection: Connection) -> Corpus:
        """The corpus of what this connection sees."""
        with self._lock:
            number = repository.change_number(connection)
            if self._corpus is not None and number == self._number:
                return self._corpus
            if self._corpus is None or number < self._number:  # the first look, or another database in its place
                self._entries, self._number = {}, 0
            for row in repository.changed_since(connection, self._number):
                self._entries[row[0]] = entry(row)
            if len(self._entries) != repository.count(connection):
                alive = repository.ids(connection)
                self._entries = {id_: item for id_, item in self._entries.items() if id_ in alive}
            corpus = Corpus(self._entries.values())
            keep = corpus.size <= KEPT_BYTES
            self._corpus, self._number = (corpus, number) if keep else (None, 0)
            if not keep:
                self._entries = {}
            return corpus
