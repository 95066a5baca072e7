"""When a conversation is to be compacted by itself, before its next request is assembled.

For whoever assembles requests: ask `due`; where it says so, `ensure` saves the summary first. A request with history that
was silently dropped is never the answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from waybook.compaction import repository
from waybook.compaction.model import KEPT_MESSAGES

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.base.cancel import Progress
    from waybook.compaction.model import Compaction, Subject
    from waybook.compaction.service import CompactionService, Order
    from waybook.compaction.summariser import Summariser
    from waybook.store.store import Store

MESSAGES = 200
"""Messages without a mark from which on a conversation is compacted."""
SHARE = 0.8
"""Share of the model's window from which on it is."""

Verdict = Literal["no", "messages", "window", "window_exceeded"]


@dataclass(frozen=True, slots=True)
class Due:
    """`messages`/`window`: compact first. `window_exceeded`: it must be told; nothing may be taken away."""

    verdict: Verdict
    messages: int
    tokens: int
    window: int


def due(store: Store, subject: Subject, *, tokens: int, window: int, needs_reasoning: bool = False) -> Due:
    """Whether a conversation whose next request has so many tokens is to be compacted for a window of so many.

    `needs_reasoning`: the model requires its own reasoning history. Then the number of messages is no reason, and a
    history that does not fit is reported, never trimmed.
    """
    with store.read() as connection:
        count = repository.counts(connection, subject)
    verdict: Verdict = "no"
    if needs_reasoning or count <= KEPT_MESSAGES:
        verdict = "window_exceeded" if tokens > window else "no"
    elif tokens > SHARE * window:
        verdict = "window"
    elif count > MESSAGES:
        verdict = "messages"
    return Due(verdict, count, tokens, window)


def ensure(
    service: CompactionService,
    order: Order,
    summariser: Summariser,
    actor: Actor,
    progress: Progress,
    *,
    run_id: str,
) -> Compaction:
    """Compact for a run that is about to go on. Raises as `CompactionService.compact`; then no request may be made."""
    return service.compact(replace(order, within_run=run_id), summariser, actor, progress)
