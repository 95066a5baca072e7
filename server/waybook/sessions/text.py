"""What every text that is kept must be, and who may be named as its writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.actor import MAX_IDENTITY_BYTES, check_identity
from waybook.base.errors import RefusedError, UsageError

if TYPE_CHECKING:
    from waybook.base.actor import Actor

MAX_TITLE_BYTES = 256
MAX_LISTED = 500


def require_storable(what: str, text: str) -> None:
    """Refuse (`UsageError`, code `bad-text`) NUL and what is not Unicode text; the message does not repeat the text."""
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        msg = f"The {what} holds NUL or bytes that are not UTF-8."
        raise UsageError(msg, code="bad-text", hint="Give plain UTF-8 text.")


def short_text(what: str, text: str, limit: int) -> str:
    """A text without the space around it, of 1 to `limit` bytes; raises `UsageError`."""
    text = text.strip()
    require_storable(what, text)
    size = len(text.encode())
    if not 1 <= size <= limit:
        msg = f"A {what} has 1 to {limit:,} bytes; this one has {size:,}."
        hint = f"Give a shorter {what}." if size else f"Give a {what}."
        raise UsageError(msg, code=f"bad-{what.replace(' ', '-')}", limit=limit, hint=hint)
    return text


def title_line(text: str) -> str:
    """A title: one line of 1 to 256 bytes; raises `UsageError`."""
    return short_text("title", " ".join(text.split()), MAX_TITLE_BYTES)


def require_writer(actor: Actor) -> None:
    """Refuse (`RefusedError`) a writer whose name cannot be recorded.

    An operator's has rules of its own; an agent's is not empty, at most 256 bytes, without control characters.
    """
    if actor.kind == "operator":
        check_identity(actor.name)
    elif not actor.name.isprintable() or not 1 <= len(actor.name.encode()) <= MAX_IDENTITY_BYTES:
        msg = f"An agent's name has 1 to {MAX_IDENTITY_BYTES} bytes and no control characters."
        raise RefusedError(msg, code="bad-identity", limit=MAX_IDENTITY_BYTES, hint="Call with the agent's name.")


def require_limit(limit: int, what: str) -> None:
    """Refuse a page size outside 1 to 500."""
    if not 1 <= limit <= MAX_LISTED:
        msg = f"A list has 1 to {MAX_LISTED} {what}."
        raise UsageError(msg, code="bad-limit", limit=MAX_LISTED, hint="Pass another limit.")
