"""Records of compaction. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

KEPT_MESSAGES = 4
"""The last messages that no compaction touches."""
MAX_SUMMARY_BYTES = 16 * 1024
"""UTF-8 bytes of a summary with its notes, as the continuity protocol bounds it."""
MAX_FOCUS = 2048
"""Characters of a focus."""
SPOKEN = ("prompt", "answer", "summary")
"""The kinds that count as messages here; thoughts, calls and notices go with the messages around them."""

State = Literal["needs_check", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Subject:
    """What is compacted: a thread, or one session that belongs to no thread's run. Exactly one is given."""

    thread_id: str = ""
    session_id: str = ""

    @property
    def name(self) -> str:
        """The id that a person knows it by."""
        return self.thread_id or self.session_id


@dataclass(frozen=True, slots=True)
class Item:
    """A message as a summariser sees it; `text` of a call is a short receipt of what was called and came of it."""

    seq: int
    kind: str
    text: str
    at: str


@dataclass(frozen=True, slots=True)
class Compaction:
    """One operation and what came of it.

    `state`: done; failed (nothing was changed, `reason` says why); or needs_check: a summariser was started and its
    outcome is not known. `folded` messages stand behind the summary, `kept` after them stay as they are; the summariser
    did not read `unread` of the folded ones and read `shortened` in part. `verbatim` names the user messages that are
    kept in full beside the summary, oldest first. `fallback` says why a model's summary was replaced by an extract.
    `repeated`: this is the stored result of an operation that had been asked for before.
    """

    id: str
    operation_key: str
    thread_id: str
    session_id: str
    state: State
    focus: str
    summariser: str
    model: str
    fallback: str
    summary: str
    folded: int
    kept: int
    unread: int
    shortened: int
    verbatim: tuple[int, ...]
    reason: str
    created_by: str
    created_at: str
    finished_at: str
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A user message that stays in full beside the summary."""

    seq: int
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Surface:
    """What a model call of a compacted conversation rests on: the summary, user messages in full, then what follows.

    `open_messages` are the row numbers of the messages behind no summary, in their order.
    """

    compaction: Compaction
    verbatim: tuple[Verbatim, ...]
    open_messages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Started:
    """Told before anything else happens: with this key a repeat finds the result."""

    operation_key: str
