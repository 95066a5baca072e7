"""Records of pins and of proposals to pin. No input or output here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

PROTOCOL = "context_pin.v1"
MAX_PINS = 32
"""Pins of one thread; the limit of the .prayu protocol."""
MAX_CHARACTERS = 8192
"""Characters (Unicode code points) of one pin; the limit of the .prayu protocol."""
MAX_TOTAL = 32768
"""Characters of all pins of a thread; the limit of the .prayu protocol."""
MAX_OPEN_PROPOSALS = 32
"""Unanswered proposals of one thread, so that an agent cannot flood the person who answers."""


class Choice(StrEnum):
    """How a person answers a proposal."""

    KEEP = "keep"
    ONLY_NOW = "only_now"
    CUSTOM = "custom"


@dataclass(frozen=True, slots=True)
class Pin:
    """A requirement kept verbatim for a thread. It states what is wanted; it grants nothing.

    `origin`: written by an operator, a proposal kept as it was, or an operator's own reply to one (`proposal_id`).
    """

    id: str
    thread_id: str
    position: int
    text: str
    characters: int
    origin: Literal["operator", "proposal", "reply"]
    proposal_id: str | None
    version: int
    created_by: str
    updated_by: str
    created_at: str
    updated_at: str
    capability_grant: bool = False
    protocol_version: str = PROTOCOL


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins of a thread in their order, with what they use of the limits."""

    thread_id: str
    pins: tuple[Pin, ...]
    characters: int
    max_pins: int = MAX_PINS
    max_characters: int = MAX_TOTAL


@dataclass(frozen=True, slots=True)
class PinWritten:
    """A pin after a write, and what the thread's pins use now. `erasure` is that of the text it replaced."""

    pin: Pin
    pins: int
    characters: int
    erasure: Literal["done", "pending"] = "done"


@dataclass(frozen=True, slots=True)
class PinRemoved:
    """A pin that is gone. `version` is the one that was removed."""

    id: str
    thread_id: str
    version: int
    recoverable: bool
    erasure: Literal["done", "pending"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said to a proposal. `reply` is "" unless the choice was `custom`; `pin_id`: what it pinned."""

    choice: Choice
    reply: str
    pin_id: str | None
    answered_by: str
    answered_at: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A text that somebody proposes to pin, exactly as given. It is no pin and in no prompt until a person keeps it.

    `status`: `open`, `answered`, or `expired` when its thread was closed first. `repeated`: the same text had been
    proposed in this run before, and this is that proposal.
    """

    id: str
    thread_id: str
    run_id: str
    text: str
    characters: int
    status: Literal["open", "answered", "expired"]
    answer: Answer | None
    proposed_by: str
    proposed_at: str
    repeated: bool = False
    capability_grant: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """An answered proposal, and the pin that the answer made. `repeated`: it had been answered so before."""

    proposal: Proposal
    pin: Pin | None
    repeated: bool
