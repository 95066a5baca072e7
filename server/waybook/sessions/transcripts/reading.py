"""One source read: what changed since last time, and its facts in batches, ready to be kept."""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from waybook.base.errors import WaybookError
from waybook.sessions.transcripts.model import About, Damage, Fact, Unknown
from waybook.sessions.transcripts.records import decode
from waybook.sessions.transcripts.state import FileState
from waybook.sessions.transcripts.text import Masking, clean, sound
from waybook.workspace import transcript_files as files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from waybook.sessions.transcripts.model import Source
    from waybook.sessions.transcripts.readers.model import Format

BATCH_BYTES = 4 << 20
"""About so many bytes of a transcript are taken in at once: what memory and one transaction have to hold."""
MAX_DAMAGE = 100
"""Damaged places that are remembered one by one for each file; all are counted."""
GLIMPSE_BYTES = 256 * 1024
"""How much of both ends of a large log is looked at for a list."""
UNFINISHED = 0
"""Remembered instead of a modification time until a file was read to its end: then nothing passes for unchanged."""


@dataclass(slots=True)
class Batch:
    """Facts of a source, and what is remembered of the file once they are kept. `last`: the source is done."""

    facts: list[Fact]
    after: FileState
    last: bool = False
    new_damage: list[Damage] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done about a source: `fresh` (never read), `same`, `grown`, `replaced`, or `gone`."""

    kind: str
    before: FileState | None
    start: FileState


def plan(source: Source, form: Format, before: FileState | None, empty: FileState) -> Plan:
    """Compare a source with what is remembered of it. `empty` is the state of a file nothing was read of."""
    found = [files.mark(path) for path in source.parts]
    marks = [mark for mark in found if mark is not None]
    if not marks:
        return Plan("gone", before, empty)
    first = marks[0]
    size, newest = sum(mark.size for mark in marks), max(mark.mtime_ns for mark in marks)
    found_now = (first.device, first.inode, size, newest)
    if before is not None and (before.device, before.inode, before.size, before.mtime_ns) == found_now:
        return Plan("same", before, before)
    now = replace(empty, device=first.device, inode=first.inode, size=size, mtime_ns=newest)
    if before is None:
        return Plan("fresh", None, now)
    if form.document is not None:
        return Plan("grown", before, replace(now, state=before.state))
    longer = size > before.size or (size == before.size and before.mtime_ns == UNFINISHED)
    if longer and not source.path.endswith(".zst") and _continues(source.path, before):
        grown = replace(
            now,
            position=before.position,
            line=before.line,
            digest=before.digest,
            state=before.state,
            unknown=before.unknown,
            damage=before.damage,
            damaged=before.damaged,
        )
        return Plan("grown", before, grown)
    return Plan("replaced", before, now)


def _continues(path: str, before: FileState) -> bool:
    try:
        return files.edges(path, before.position) == before.digest
    except OSError:
        return False


def batches(
    source: Source, form: Format, start: FileState, mask: Callable[[str], str], *, light: bool = False
) -> Iterator[Batch]:
    """The batches of a source from a state on. Raises `OSError` where the file cannot be opened or read on.

    `light`: what was said is of no interest and stays raw (it must not be kept or shown); titles are masked as ever.
    """
    gather = _Gather(start, mask, light=light)
    if form.document is not None:
        yield from _document(source, form, gather)
    elif form.log is not None:
        yield from _log(source, form, gather)


class _Gather:
    """Collects facts until a batch is full."""

    def __init__(self, start: FileState, mask: Callable[[str], str], *, light: bool) -> None:
        self.state = start
        self._masking = Masking(mask)
        self._light = light
        self._unknown = dict(start.unknown)
        self._damage = list(start.damage)
        self._damaged = start.damaged
        self.facts: list[Fact] = []
        self.fresh: list[Damage] = []

    def take(self, facts: Iterable[Fact], line: int) -> None:
        """Add facts. A record of a shape that the reader does not expect is damage, not the end of the file."""
        try:
            for fact in facts:
                self._add(fact)
        except WaybookError:
            raise
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a stranger's record holds must not hide the rest
            self._add(Damage(line, "unreadable", f"the record is not what this format has ({type(error).__name__})"))

    def _add(self, fact: Fact) -> None:
        match fact:
            case Unknown():
                name = clean(fact.type)[:80]
                if name in self._unknown or len(self._unknown) < MAX_DAMAGE:
                    self._unknown[name] = self._unknown.get(name, 0) + 1
            case Damage():
                self.fresh.append(fact)
                if fact.code != "torn":
                    self._damaged += 1
                    if len(self._damage) < MAX_DAMAGE:
                        self._damage.append((fact.line, fact.code, fact.message))
            case _ if self._light and not isinstance(fact, About):
                self.facts.append(sound(fact))
            case _:
                self.facts.append(self._masking.fact(fact))

    def batch(self, after: FileState, *, last: bool = False) -> Batch:
        """What was gathered, with the state that holds once it is kept."""
        unknown, damage = dict(self._unknown), tuple(self._damage)
        self.state = replace(after, unknown=unknown, damage=damage, damaged=self._damaged)
        kept = self.state if last else replace(self.state, mtime_ns=UNFINISHED)
        made = Batch(self.facts, kept, last, self.fresh)
        self.facts, self.fresh = [], []
        return made


def _log(source: Source, form: Format, gather: _Gather) -> Iterator[Batch]:
    if form.log is None:
        return
    start = gather.state
    feed = form.log(source, dict(start.state))
    position, number, taken = start.position, start.line, 0
    tail = _Edges(source.path, start)
    with files.stream(source.path) as file, closing(files.lines(file, start.position, start.line)) as found:
        try:
            for line in found:
                records, damage = decode(line)
                if damage is not None:
                    gather.take([damage], line.number)
                for record in records:
                    gather.take(feed.feed(record, line.number), line.number)
                if not line.whole and not records:
                    break  # torn: read again once it is whole
                taken += line.end - position
                position, number = line.end, line.number if line.whole else line.number - 1
                if taken >= BATCH_BYTES:
                    taken = 0
                    at = replace(gather.state, position=position, line=number, state=feed.state())
                    yield gather.batch(replace(at, digest=tail.digest(position)))
        except OSError as error:
            # What came before the damage is kept; a packed file is torn as a whole only where its packing ends.
            gather.take([Damage(number + 1, "unreadable", f"the file cannot be read on: {error}")], number + 1)
    at = replace(gather.state, position=position, line=number, state=feed.state())
    yield gather.batch(replace(at, digest=tail.digest(position)), last=True)


def glimpse(source: Source, form: Format, mask: Callable[[str], str]) -> list[Fact]:
    """What the first and the last lines of a log tell of its session, without what was said."""
    if form.log is None:
        return []
    gather = _Gather(FileState(source.path, source.agent), mask, light=True)
    feed = form.log(source, {})
    head, tail = files.beginning(source.path, GLIMPSE_BYTES), files.ending(source.path, GLIMPSE_BYTES)
    for number, data in enumerate([*head.split(b"\n")[:-1], *tail.split(b"\n")[1:]], 1):
        records, _ = decode(files.Line(number, 0, data))
        for record in records:
            gather.take(feed.feed(record, number), number)
    return gather.batch(gather.state, last=True).facts


class _Edges:
    """The digest of what was read so far."""

    def __init__(self, path: str, start: FileState) -> None:
        self._path = path
        self._before = start.digest

    def digest(self, position: int) -> str:
        """Empty for a packed file and for one that cannot be read any more."""
        if self._path.endswith(".zst"):
            return ""
        try:
            return files.edges(self._path, position)
        except OSError:
            return self._before


def _document(source: Source, form: Format, gather: _Gather) -> Iterator[Batch]:
    if form.document is None:
        return
    start = gather.state
    state = dict(start.state)
    weight = 0
    for fact in _guarded(form.document(source, state)):
        gather.take([fact], 0)
        weight += _weight(fact)
        if weight >= BATCH_BYTES:
            weight = 0
            yield gather.batch(start)
    digest = hashlib.sha256(repr(source.parts).encode("utf-8", "surrogatepass")).hexdigest()
    yield gather.batch(replace(start, position=start.size, state=state, digest=digest), last=True)


def _guarded(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts of a document up to what the reader does not expect; that is damage, not the end of an import."""
    try:
        yield from facts
    except (OSError, WaybookError):
        raise
    except Exception as error:  # noqa: BLE001 - as in `take`
        yield Damage(0, "unreadable", f"the document is not what this format has ({type(error).__name__})")


def _weight(fact: Fact) -> int:
    return 200 + len(getattr(fact, "text", "")) + len(getattr(fact, "output", "")) + len(getattr(fact, "arguments", ""))
