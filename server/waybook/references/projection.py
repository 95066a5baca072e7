"""What of a session another one may see: direct user text, finished assistant text, the current checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.references.envelope import request_of
from waybook.references.model import SourceMessage, Unit
from waybook.references.uri import whole_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable

_DIRECT = frozenset({"user", "steering"})


def project(messages: Iterable[SourceMessage]) -> tuple[Unit, ...]:
    """The units that may be shown, the current checkpoint first.

    Left out: tools and their results, reasoning, injected context, other programs' user messages, log records, hidden
    and unfinished messages, earlier checkpoints. A message that carried references shows what the person typed, so that
    a reference never passes on another one's snapshot.
    """
    checkpoint: Unit | None = None
    units: list[Unit] = []
    for message in messages:
        if message.hidden or not message.finished:
            continue
        if message.origin == "checkpoint":
            checkpoint = Unit("user", whole_pairs(message.text), checkpoint=True) if message.text else checkpoint
        elif message.origin == "assistant" and message.text:
            units.append(Unit("assistant", whole_pairs(message.text)))
        elif message.origin in _DIRECT and (typed := _typed(message)):
            units.append(Unit("user", whole_pairs(typed)))
    return (checkpoint, *units) if checkpoint is not None else tuple(units)


def _typed(message: SourceMessage) -> str:
    """What the person typed; a prepared prompt that was pasted into another program is known by its form."""
    if message.display is not None:
        return message.display
    request = request_of(message.text)
    return message.text if request is None else request
