"""Keeping the index in step with the database, and answering searches from it while it is."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from waybook.base.errors import StoreError
from waybook.memory.search import excerpt, fold
from waybook.recall.index import repository
from waybook.recall.index.file import IndexFile, UnfitError, discard
from waybook.recall.index.grams import lookup
from waybook.recall.index.repository import PARTS
from waybook.recall.index.update import AnewError, Updated, update
from waybook.sessions.messages import repository as session_repository
from waybook.sessions.messages.model import Found
from waybook.store.failures import is_busy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from waybook.base.cancel import Progress
    from waybook.recall.index.repository import Where
    from waybook.store.store import Connection, Store

LOOKED_AT = 64
"""Messages that are compared with a query at once."""


class SessionIndex:
    """The index of a store's sessions in a directory of its own. Safe to use from several threads and programs."""

    def __init__(self, store: Store, directory: str) -> None:
        self._store = store
        self.path = str(Path(directory) / IndexFile.name(store.path))
        self._updating = threading.Lock()

    def fresh(self) -> bool:
        """Whether the index knows everything that is in the database now. Makes nothing."""
        file = self._open(make=False)
        if file is None:
            return False
        try:
            return self._knows_all(file)
        except UnfitError:
            discard(self.path)
            return False
        finally:
            file.close()

    def _knows_all(self, file: IndexFile) -> bool:
        with self._store.read() as connection:
            return file.value("state") == repository.state(connection)

    def update(self, progress: Progress) -> Updated:
        """Bring the index up to date. What a cancelled or killed update had done stays done.

        Raises `CancelledError`. An index that cannot be had is no failure (`complete` is False): searches do without it.
        """
        done = Updated()
        with self._updating:
            for _ in range(3):
                # Unfit is found out at most once, and that old text can only be lost by starting anew, at most once.
                file = self._open(make=True)
                if file is None:
                    continue
                try:
                    update(self._store, file, done, progress)
                    done.complete = True
                    break
                except (UnfitError, AnewError):
                    discard(self.path)
                except Exception as error:
                    if not is_busy(error):
                        raise
                    break  # another program is at it
                finally:
                    file.close()
        return done

    def search(self, query: str, where: Where, limit: int) -> tuple[Found, ...] | None:
        """The visible messages that hold a text in any case and width, newest first.

        None where only the database can tell: while the index is not fresh, and for queries that are too short for it.
        """
        how = lookup(query)
        file = self._open(make=False) if how is not None else None
        if how is None or file is None:
            return None
        folded = fold(query.strip())
        try:
            if not self._knows_all(file):
                return None
            places: list[repository.Place] = []
            with self._store.read() as connection:
                for seqs in grouped(file.numbers(how)):
                    places += repository.holding(connection, seqs, folded, where)
                    if len(places) >= limit:
                        break
                return tuple(_found(connection, places[:limit], folded))
        except UnfitError:
            discard(self.path)
        except Exception as error:
            if not is_busy(error):
                raise
        finally:
            file.close()
        return None

    def _open(self, *, make: bool) -> IndexFile | None:
        """The file; None where there is none or it cannot be had. One that is found unfit goes away."""
        if not make and not Path(self.path).is_file():
            return None
        try:
            return IndexFile(self.path)
        except UnfitError:
            discard(self.path)
        except StoreError:
            pass
        except Exception as error:
            if not is_busy(error):
                raise
        return None


def grouped(numbers: Iterable[int], size: int = LOOKED_AT) -> Iterator[list[int]]:
    """Row numbers of messages, each once, so many at a time."""
    group: list[int] = []
    for number in numbers:
        seq = number // PARTS
        if group and group[-1] == seq:
            continue
        if len(group) == size:
            yield group
            group = []
        group.append(seq)
    if group:
        yield group


def _found(connection: Connection, places: list[repository.Place], folded: str) -> Iterator[Found]:
    known = session_repository.by_ids(connection, {place.session_id for place in places})
    for place in places:
        yield Found(known[place.session_id], place.seq, place.kind, place.at, excerpt(place.text, [folded.encode()]))
