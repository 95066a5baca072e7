"""What a compaction will fold and keep, and what it rests on: decided from the messages as they are, nothing written."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.errors import ConflictError
from waybook.compaction import repository
from waybook.compaction.model import KEPT_MESSAGES, SPOKEN, Compaction, Item, Subject, Verbatim

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from waybook.compaction.repository import Row, RunStand
    from waybook.store.store import Connection

_ACTIVE, _WAITING = "running", "waiting_input"
_UNDECIDED = frozenset({"created", "paused"})


@dataclass(frozen=True, slots=True)
class Plan:
    """`folded` messages will stand behind the summary, `kept` after them stay. `prompts`: the user's, marked before or now.

    `source` is the digest of all this: at the end it must still be the same. `kept_text` is what stays whole.
    """

    previous: Compaction | None
    folded: tuple[Item, ...]
    kept: int
    kept_text: tuple[str, ...]
    prompts: tuple[Verbatim, ...]
    source: str


def make(connection: Connection, subject: Subject, *, within_run: str = "") -> Plan:
    """The plan for a conversation as it is now. Raises `ConflictError` when it must not be compacted now.

    `within_run` is the run that asks for it itself, before it goes on; it counts as idle.
    """
    stands = repository.run_stands(connection, subject)
    digest = hashlib.sha256(repr([subject, *((stand.run_id) for stand in stands)]).encode())
    previous = repository.latest(connection, subject)
    digest.update(repr(previous.id if previous else "").encode())
    open_rows: list[Row] = []
    prompts: list[Verbatim] = []
    for row in repository.rows(connection, subject):
        digest.update(repr(row.said()).encode("utf-8", "surrogatepass"))
        if not row.marked:
            open_rows.append(row)
        elif row.kind == "prompt":
            prompts.append(Verbatim(row.seq, row.at, row.text))
    require_idle(subject, stands, open_rows, within_run)
    cut = _cut(open_rows)
    folded = open_rows[:cut]
    if not any(row.kind in SPOKEN for row in folded):
        raise ConflictError(
            f"{subject.name} has nothing to compact: its last {KEPT_MESSAGES} messages always stay.",
            code="nothing-to-compact",
            hint="Go on with the conversation.",
        )
    prompts += [Verbatim(row.seq, row.at, row.text) for row in folded if row.kind == "prompt"]
    return Plan(
        previous,
        tuple(row.item() for row in folded),
        sum(row.kind in SPOKEN for row in open_rows[cut:]),
        tuple(row.item().text for row in open_rows[cut:]),
        tuple(prompts),
        digest.hexdigest(),
    )


def _cut(open_rows: Sequence[Row]) -> int:
    """Where what is kept begins: the fourth message from the end, with the thoughts that led to it."""
    left = KEPT_MESSAGES
    place = len(open_rows)
    while place and left:
        place -= 1
        left -= open_rows[place].kind in SPOKEN
    while place and open_rows[place - 1].kind == "reasoning":
        place -= 1
    return place


def require_idle(subject: Subject, stands: Iterable[RunStand], open_rows: Sequence[Row], within_run: str = "") -> None:
    """Raise `ConflictError` while a run is active, or input waits: for a person, or of a person for its answer.

    A prompt that nobody answered waits only while its run may still go on: not after that was completed, failed or
    cancelled.
    """
    others = [stand for stand in stands if stand.run_id != within_run]
    for stand in others:
        if stand.state == _ACTIVE:
            raise ConflictError(
                f"Run {stand.run_id} is active; {subject.name} is compacted between runs.",
                code="run-active",
                hint="Wait for its end or pause it, then try again.",
            )
        if stand.state == _WAITING:
            raise _pending(subject, f"run {stand.run_id} waits for input")
    spoken = [row for row in open_rows if row.kind in SPOKEN]
    if others and not within_run and others[-1].state in _UNDECIDED and spoken and spoken[-1].kind == "prompt":
        raise _pending(subject, "the last message of the user is not answered")


def _pending(subject: Subject, why: str) -> ConflictError:
    return ConflictError(
        f"{subject.name} has pending user input: {why}.",
        code="input-pending",
        hint="Answer it or end the run, then try again.",
    )
