"""Imports: find transcripts, read what is new in them, keep it. Safe to repeat, to stop, to kill and to run twice at once.

Each batch of facts is kept in one transaction with the position up to which its file was read, after a look at whether
that position is still the one the batch was read from: of two imports that run at once, the second finds the work done.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.sessions.transcripts import reading, repository
from waybook.sessions.transcripts.readers.catalog import formats
from waybook.sessions.transcripts.state import FileState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from waybook.base.cancel import Progress
    from waybook.sessions.transcripts.model import Damage, Source
    from waybook.sessions.transcripts.readers.model import Format, Places
    from waybook.sessions.transcripts.reading import Batch
    from waybook.store.store import Store

TRIES = 5
"""How often one source is begun anew because another import got ahead."""
GROUP = 64
"""At most so many small sources share a transaction: reaching the disk takes longer than reading them."""


@dataclass(frozen=True, slots=True)
class Warned:
    """A place that could not be read. `line` counts from 1; 0 means the file as a whole."""

    path: str
    line: int
    code: str
    message: str


@dataclass(slots=True)
class Outcome:
    """What an import did. `files` were looked at; of them `read` had something new; `replaced` were other files now."""

    files: int = 0
    read: int = 0
    new_sessions: int = 0
    new_messages: int = 0
    replaced: list[str] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)


@dataclass(slots=True)
class _Work:
    """A source on its way into the store."""

    source: Source
    form: Format
    before: FileState | None
    writer: repository.Writer
    batch: Batch


class ImportService:
    """Brings agents' sessions into a store. `mask` hides secrets; nothing unmasked is kept."""

    def __init__(self, store: Store, mask: Callable[[str], str]) -> None:
        self._store = store
        self._mask = mask

    def run(self, found: Iterable[tuple[Format, Source]], progress: Progress) -> Outcome:
        """Import what is new in these sources. Raises `CancelledError`; what was kept by then stays kept."""
        todo = list(found)
        outcome = Outcome(files=len(todo))
        with self._store.read() as connection:
            known = repository.file_states(connection)
        for _ in range(TRIES):
            todo = self._pass(todo, known, outcome, progress)
            if not todo:
                break
            with self._store.read() as connection:
                known = repository.file_states(connection)
        return outcome

    def _pass(
        self,
        todo: list[tuple[Format, Source]],
        known: dict[str, FileState],
        outcome: Outcome,
        progress: Progress,
    ) -> list[tuple[Format, Source]]:
        """One round over sources; those that another import got ahead of are to be tried again."""
        again: list[tuple[Format, Source]] = []
        group: list[_Work] = []
        for number, (form, source) in enumerate(todo):
            progress.step("importing sessions", number, len(todo))
            if form.names_only:  # these follow the sessions that they name
                again += self._flush(group, outcome)
                group = []
            works = self._source(form, source, known.get(source.path), outcome)
            for work in works:
                progress.step("importing sessions", number, len(todo))
                group.append(work)
                if work.batch.last and len(group) < GROUP and _weight(group) < reading.BATCH_BYTES:
                    continue
                lost = self._keep(group, outcome)
                group = []
                again += [(item.form, item.source) for item in lost]
                if any(item is work for item in lost):
                    break
        return again + self._flush(group, outcome)

    def _flush(self, group: list[_Work], outcome: Outcome) -> list[tuple[Format, Source]]:
        return [(item.form, item.source) for item in self._keep(group, outcome)]

    def _source(self, form: Format, source: Source, seen: FileState | None, outcome: Outcome) -> Iterator[_Work]:
        if not _storable(source.path):
            outcome.warnings.append(Warned(repr(source.path), 0, "bad-name", "the path is not UTF-8; it is not read"))
            return
        before = seen
        if seen is not None:
            with self._store.read() as connection:
                before = repository.file_state(connection, source.path)
        now = timestamp(self._store.clock.now())
        todo = reading.plan(source, form, before, FileState(source.path, source.agent, imported_at=now))
        named_anew = form.names_only and todo.kind == "same" and outcome.new_sessions > 0
        if todo.kind in {"same", "gone"} and not named_anew:
            return
        outcome.read += not named_anew
        if todo.kind == "replaced":
            outcome.replaced.append(source.path)
        writer = repository.Writer(source.agent, source.path, now)
        try:
            for batch in reading.batches(source, form, todo.start, self._mask):
                outcome.warnings += [_warned(source, damage) for damage in batch.new_damage]
                yield _Work(source, form, before, writer, batch)
                before = batch.after
        except OSError as error:
            reason = error.strerror or str(error)
            outcome.warnings.append(Warned(source.path, 0, "unreadable", f"the file cannot be read: {reason}"))

    def _keep(self, group: list[_Work], outcome: Outcome) -> list[_Work]:
        """Write a group in one transaction; returns the works that were overtaken by another import."""
        if not group:
            return []
        lost: list[_Work] = []
        with self._store.write() as connection:
            for work in group:
                current = repository.file_state(connection, work.source.path)
                if _place(current) != _place(work.before):
                    lost.append(work)
                    continue
                work.writer.apply(connection, work.batch.facts)
                if work.batch.last:
                    work.writer.finish(connection)
                repository.save_file(connection, work.batch.after)
        for work in group:
            if work.batch.last or work in lost:
                outcome.new_sessions += work.writer.new_sessions
                outcome.new_messages += work.writer.new_messages
        return lost


def find(places: Places, agent: str = "") -> Iterator[tuple[Format, Source]]:
    """Every transcript below a person's places, of one agent or all. Opens no transcript."""
    for form in formats(agent):
        for source in form.find(places):
            yield form, source


def _place(state: FileState | None) -> tuple[object, ...] | None:
    return None if state is None else (state.position, state.size, state.mtime_ns, state.inode, state.digest)


def _storable(path: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in path)


def _weight(group: list[_Work]) -> int:
    return sum(len(work.batch.facts) for work in group) * 400


def _warned(source: Source, damage: Damage) -> Warned:
    return Warned(source.path, damage.line, damage.code, damage.message)
