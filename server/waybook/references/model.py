"""What references are made of: sessions as sources show them, and the frozen result. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Origin = Literal["user", "steering", "checkpoint", "assistant", "injected", "plugin", "tool", "reasoning", "log"]
"""Who put a message there. `user` and `steering`: a person, directly; `checkpoint`: the summary of a compaction."""

MAX_REFERENCES = 3
"""Sessions that one message may reference (the session-reference protocol's hard limit)."""
MAX_BYTES = 65_536
"""UTF-8 bytes of one session's JSON (the session-reference protocol's default)."""


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session as a list shows it. `native_id` is what its agent calls it; a mention may use either id.

    `updated_at` is RFC 3339 or ""; `size` is the bytes of the text that may be shown, None where nobody counted;
    `path` is the file it was read from.
    """

    id: str
    title: str = ""
    cwd: str = ""
    agent: str = ""
    updated_at: str = ""
    messages: int = 0
    size: int | None = None
    path: str = ""
    native_id: str = ""

    def known_as(self, session_id: str) -> bool:
        """Whether this id, which is not empty, is one of the session's."""
        return bool(session_id) and session_id in {self.id, self.native_id}


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """One message of a session. `text` is its text blocks joined by line feeds, without reasoning and tool calls.

    `hidden`: a compaction took it out of what the model sees; `finished`: the message is complete; `display`: what the
    person typed, where the message carried references of its own.
    """

    sequence: int
    origin: Origin
    text: str
    hidden: bool = False
    finished: bool = True
    display: str | None = None


@dataclass(frozen=True, slots=True)
class Surface:
    """A session as it was at one moment: its record, the last sequence number seen, its messages in order."""

    record: SessionRecord
    captured_through: int
    messages: tuple[SourceMessage, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of conversation that may be shown. `checkpoint`: it stands for what was compacted."""

    role: Literal["user", "assistant"]
    text: str
    checkpoint: bool = False


@dataclass(frozen=True, slots=True)
class Stats:
    """What was kept of a session. `omitted_bytes`: UTF-8 bytes of text left out, of dropped and of shortened messages."""

    compacted: bool
    original_messages: int
    retained_messages: int
    omitted_messages: int
    omitted_bytes: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class Fixed:
    """The fields of a session that are never cut."""

    session_id: str
    label: str
    cwd: str
    captured_through: int


@dataclass(frozen=True, slots=True)
class Retained:
    """A session within its budget: `json` is what a model sees of it, without any `<`."""

    fixed: Fixed
    conversation: tuple[Unit, ...]
    stats: Stats
    json: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a part of a prepared message comes from; kept with the message, never shown to a model."""

    session_id: str
    uri: str
    label: str
    cwd: str
    captured_through: int
    bytes: int
    compacted: bool
    original_messages: int
    retained_messages: int
    omitted_messages: int
    omitted_bytes: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class Prepared:
    """One message for a model: `text` is sent, `display` is what people see, `references` is where the rest comes from.

    It is stored as one message, so that a replay needs no source. Nothing in it grants anything.
    """

    text: str
    display: str
    references: tuple[Provenance, ...]
    bytes: int
