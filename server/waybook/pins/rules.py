"""What a pin may hold: any text of 1 to 8,192 characters, as it is, without secrets; and how much fits a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.errors import RefusedError, UsageError
from waybook.pins.model import MAX_CHARACTERS, MAX_PINS, MAX_TOTAL, Choice
from waybook.secrets import require_clean
from waybook.sessions.text import require_storable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.pins.model import Pin


def require_text(text: str, *, field: str = "pin") -> None:
    """Refuse a text that cannot be kept verbatim: `UsageError` for NUL, none or too much; `RefusedError` for a secret.

    Nothing is trimmed, normalised or redacted.
    """
    require_storable(field, text)
    if not text.strip():
        msg = f"The {field} is empty."
        raise UsageError(msg, code="bad-pin", limit=MAX_CHARACTERS, hint="Say what is to be kept.")
    if len(text) > MAX_CHARACTERS:
        msg = f"A {field} has 1 to {MAX_CHARACTERS:,} characters; this one has {len(text):,}."
        raise RefusedError(msg, code="pin-too-long", limit=MAX_CHARACTERS, hint="Shorten it, or split it.")
    try:
        require_clean(text, field=field)
    except RefusedError as error:
        error.hint = "Remove it: a pin is kept word for word, so nothing in it is redacted."
        raise


def require_room(kept: Sequence[Pin], text: str) -> None:
    """Refuse (`RefusedError`) one pin more than 32, or more than 32,768 characters in all."""
    if len(kept) >= MAX_PINS:
        msg = f"The thread has {MAX_PINS} pins, the most it keeps."
        raise RefusedError(msg, code="too-many-pins", limit=MAX_PINS, hint="Remove or merge pins first.")
    require_total(kept, text)


def require_total(others: Sequence[Pin], text: str) -> None:
    """Refuse (`RefusedError`) more than 32,768 characters together with the other pins."""
    used = sum(pin.characters for pin in others)
    if used + len(text) > MAX_TOTAL:
        msg = (
            f"The thread's pins have room for {MAX_TOTAL - used:,} characters more; this text has {len(text):,} "
            f"({MAX_TOTAL:,} in all)."
        )
        raise RefusedError(msg, code="pins-too-long", limit=MAX_TOTAL, hint="Shorten or remove pins first.", used=used)


def parse_choice(text: str) -> Choice:
    """The choice of this name, `only-now` too; raises `UsageError`."""
    try:
        return Choice(text.replace("-", "_"))
    except ValueError as error:
        raise UsageError(
            f"There is no answer {text!r}.", code="bad-choice", hint="Answer keep, only_now or custom."
        ) from error


def require_reply(choice: Choice, reply: str, *, pin_reply: bool) -> None:
    """Refuse (`UsageError`) a reply that does not go with the choice."""
    if choice is Choice.CUSTOM:
        require_text(reply, field="reply")
    elif reply or pin_reply:
        raise UsageError(
            f"The answer {choice} takes no reply of your own.",
            code="bad-choice",
            hint="Answer custom with your reply; set pin_reply to pin that reply.",
        )
