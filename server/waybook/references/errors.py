"""The failures of references, with the codes that other programs of this protocol know."""

from __future__ import annotations

from waybook.base.errors import CancelledError, NotFoundError, RefusedError, UnavailableError, UsageError

PREFIX = "SESSION_REFERENCE_"
INVALID_CONFIG = f"{PREFIX}INVALID_CONFIG"
INVALID_REFERENCE = f"{PREFIX}INVALID_REFERENCE"
SELF_REFERENCE = f"{PREFIX}SELF_REFERENCE"
TOO_MANY = f"{PREFIX}TOO_MANY"
READ_FAILED = f"{PREFIX}READ_FAILED"
BUDGET_EXCEEDED = f"{PREFIX}BUDGET_EXCEEDED"
CANCELLED = f"{PREFIX}CANCELLED"
_SHOWN = 80
_FIND = "`waybook references candidates` lists the sessions that can be referenced."


def invalid_config(name: str, found: int, limit: int | None = None) -> UsageError:
    """A bound that is not positive, or above the hard one."""
    most = f" and at most {limit:,}" if limit else ""
    return UsageError(
        f"{name} must be positive{most}; it is {found:,}.",
        code=INVALID_CONFIG,
        limit=limit,
        hint="Pass another bound, or none.",
    )


def invalid_reference(uri: str, why: str, offset: int | None = None) -> UsageError:
    """A URI that is not the canonical one of any session; `offset` is where it stands in the text, in characters."""
    shown = uri if len(uri) <= _SHOWN else f"{uri[:_SHOWN]}…"
    error = UsageError(
        f"{shown!r} is no session reference: {why}.",
        code=INVALID_REFERENCE,
        hint="Make one with `waybook references encode ID`; to speak of the scheme itself, leave the payload out.",
    )
    if offset is not None:
        error.details["offset"] = offset
    return error


def self_reference(session: str) -> RefusedError:
    """A message that mentions the session it is meant for."""
    return RefusedError(
        f"Session {session!r} cannot reference itself.",
        code=SELF_REFERENCE,
        hint="Its own messages are already before the model; take the mention out.",
    )


def too_many(found: int, limit: int) -> RefusedError:
    """More sessions than one message may reference."""
    return RefusedError(
        f"A message may reference {limit} session{'s' if limit != 1 else ''}; this one references {found}.",
        code=TOO_MANY,
        limit=limit,
        hint="Take mentions out, or split the message.",
        found=found,
    )


def gone(session: str, label: str) -> NotFoundError:
    """A session that no source knows: deleted, or never imported."""
    return NotFoundError(
        f"The referenced session {label!r} ({session!r}) is not there: it was deleted or never imported.",
        code=READ_FAILED,
        hint=_FIND,
        session_id=session,
    )


def read_failed(session: str, label: str, why: str) -> UnavailableError:
    """A session that could not be read."""
    return UnavailableError(
        f"The referenced session {label!r} ({session!r}) could not be read: {why}",
        code=READ_FAILED,
        hint="Nothing was prepared. Try again, or take the mention out.",
        session_id=session,
    )


def too_slow(names: str, seconds: float) -> UnavailableError:
    """Sessions that did not answer in time; the limit is in seconds."""
    return UnavailableError(
        f"Reading {names} took longer than {seconds:g} seconds.",
        code=READ_FAILED,
        limit=int(seconds),
        hint="Nothing was prepared. Try again with a longer --timeout, or take the mention out.",
    )


def budget_exceeded(session: str, label: str, limit: int) -> RefusedError:
    """A session whose fixed fields alone pass the limit, in bytes."""
    return RefusedError(
        f"The referenced session {label!r} ({session!r}) does not fit {limit:,} bytes even without its text.",
        code=BUDGET_EXCEEDED,
        limit=limit,
        hint="Shorten the label, or allow more bytes.",
        session_id=session,
    )


def cancelled() -> CancelledError:
    """The caller asked to stop while sessions were read."""
    return CancelledError("Cancelled while reading referenced sessions; nothing was prepared.", code=CANCELLED)
