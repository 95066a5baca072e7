"""One update of the index: what is gone or has changed, then what is new, then the mark that everything is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.memory.search import fold
from waybook.recall.index import repository

if TYPE_CHECKING:
    from waybook.base.cancel import Progress
    from waybook.recall.index.file import IndexFile
    from waybook.recall.index.repository import Piece
    from waybook.store.store import Store

BATCH_PIECES, BATCH_CHARACTERS = 4_000, 8_000_000
"""What is read and written at once."""
STATE, LAST, OWED = "state", "last", "owed"


class AnewError(Exception):
    """Something was deleted, and this SQLite can only forget it by making the file anew."""


@dataclass(slots=True)
class Updated:
    """What an update did: pieces of text added and removed. `complete`: the index knows everything there was."""

    added: int = 0
    removed: int = 0
    complete: bool = False


def update(store: Store, file: IndexFile, done: Updated, progress: Progress) -> None:
    """Bring a file up to date. Raises `CancelledError`, `AnewError`, `UnfitError`."""
    with store.read() as connection:
        state = repository.state(connection)
        marks = repository.file_marks(connection)
        paths = repository.session_paths(connection)
        again = repository.sessions_with_open_calls(connection)
    if file.value(STATE) == state and not file.value(OWED):
        return
    known, seen = file.sessions(), file.files()
    gone = known - paths.keys()
    again |= {seq for seq, path in paths.items() if marks.get(path) != seen.get(path)}
    todo = sorted(gone | (again & known))
    for number, session_seq in enumerate(todo):
        progress.step("indexing changed sessions", number, len(todo))
        _compare(store, file, session_seq, done)
    _add_new(store, file, done, progress)
    if file.value(OWED):
        file.wipe()
    file.write((), (), values={STATE: state, OWED: ""}, files=marks)


def _compare(store: Store, file: IndexFile, session_seq: int, done: Updated) -> None:
    """Remove what a session does not say any more, add what it says now."""
    indexed = file.digests(session_seq)
    fresh: list[Piece] = []
    removed: list[int] = []
    with store.read() as connection:
        for piece in repository.pieces_of(connection, session_seq):
            before = indexed.pop(piece.number, None)
            if before == piece.digest():
                continue
            fresh.append(piece)
            if before is not None:
                removed.append(piece.number)
    removed += indexed
    if not fresh and not removed:
        return
    if removed and not file.can_delete:
        raise AnewError
    file.write([(piece, fold(piece.text)) for piece in fresh], removed, values={OWED: "1"} if removed else {})
    done.added += len(fresh)
    done.removed += len(removed)


def _add_new(store: Store, file: IndexFile, done: Updated, progress: Progress) -> None:
    last = int(file.value(LAST) or 0)
    with store.read() as connection:
        total = repository.count_after(connection, last)
    looked = 0
    while True:
        progress.step("indexing sessions", looked, total)
        batch: list[Piece] = []
        characters = 0
        with store.read() as connection:
            end = repository.newest(connection)
            for piece in repository.pieces_after(connection, last):
                full = len(batch) >= BATCH_PIECES or characters >= BATCH_CHARACTERS
                if full and piece.seq != batch[-1].seq:
                    end = batch[-1].seq
                    break
                batch.append(piece)
                characters += len(piece.text)
        if end <= last:
            return
        looked += len({piece.seq for piece in batch})
        last = end
        file.write([(piece, fold(piece.text)) for piece in batch], (), values={LAST: str(last)})
        done.added += len(batch)
