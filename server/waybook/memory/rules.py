"""What a memory may be: pure functions from what an operator gives to what is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from waybook.base.canonical import sha256_hex
from waybook.base.clock import timestamp
from waybook.base.errors import UsageError
from waybook.memory.model import USER_SCOPE_ID, Scope
from waybook.secrets import check_reference, redact, require_clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.memory.model import Draft

# The limits of the `context_memory.v1` protocol; bytes are those of UTF-8.
MAX_TITLE_BYTES = 256
MAX_CONTENT_BYTES = 16 * 1024
MAX_REFERENCE_BYTES = 512
MAX_REFERENCES = 32
MAX_RETENTION_YEARS = 10

_SPAN = re.compile(r"(?:\d{1,7}(?:\.\d{1,6})?(?:weeks?|w|days?|d|hours?|h|minutes?|m|seconds?|s))+", re.IGNORECASE)
_PART = re.compile(r"(\d+(?:\.\d+)?)([a-z])", re.IGNORECASE)
_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_MORE_THAN_ALLOWED = (MAX_RETENTION_YEARS + 1) * 366 * 86_400.0
_NO_END = frozenset({"", "none", "never", "forever"})


@dataclass(frozen=True, slots=True)
class Text:
    """What is stored of a memory's words, checked; `redacted` when secrets were replaced."""

    title: str
    content: str
    source_ref: str
    references: tuple[str, ...]
    redacted: bool

    @property
    def content_sha256(self) -> str:
        """The digest of the stored content."""
        return sha256_hex(self.content)


def settle(draft: Draft) -> Text:
    """Check a draft's words. Raises `UsageError` for a broken limit, `RefusedError` for a secret or a sensitive place."""
    return settle_text(
        draft.title, draft.content, draft.source_ref, draft.references, redact_sensitive=draft.redact_sensitive
    )


def settle_text(
    title: str, content: str, source_ref: str, references: Iterable[str], *, redact_sensitive: bool
) -> Text:
    """As `settle`, from the words themselves."""
    source = _reference(source_ref, "source reference") if source_ref.strip() else ""
    places = _references(references)
    title = _title(title)
    content = _content(content)
    redacted = False
    if redact_sensitive:
        clean = redact(title), redact(content)
        redacted = bool(clean[0].findings or clean[1].findings)
        if redacted:
            title, content = _title(clean[0].text), _content(clean[1].text)
    else:
        require_clean(title, field="title", redactable=True)
        require_clean(content, field="content", redactable=True)
    return Text(title, content, source, places, redacted)


def known_scope(scope: str) -> Scope:
    """The scope of this name; raises `UsageError`."""
    try:
        return Scope(scope)
    except ValueError:
        raise UsageError(
            f"There is no scope {scope!r}.", code="bad-scope", hint="A memory's scope is user or project."
        ) from None


def scope_id(scope: str, wanted: str) -> tuple[Scope, str]:
    """The scope and what it is about; raises `UsageError` for an unknown scope or a project without a workspace."""
    kind = known_scope(scope)
    if kind is Scope.USER:
        if wanted not in {"", USER_SCOPE_ID}:
            raise UsageError("A user memory belongs to no workspace.", code="bad-scope", hint="Use the scope project.")
        return kind, USER_SCOPE_ID
    if not wanted:
        raise UsageError("A project memory needs its workspace.", code="bad-scope", hint="Name one with --workspace.")
    return kind, wanted


def retention_until(retention: str, now: datetime, earliest: str = "") -> str:
    """The time that a span (from `now`) or a time means; "" for no end.

    A span is of weeks, days, hours, minutes and seconds: `720h`, `30d`, `1h30m`. Raises `UsageError` for what cannot be
    read, lies before now (or before `earliest`, a time, where that is given) or more than ten years ahead.
    """
    given = retention.strip()
    if given.casefold() in _NO_END:
        return ""
    if given.startswith("-"):
        raise _bad_retention("A retention cannot lie before the memory's creation.")
    moment = now + _span(given) if _SPAN.fullmatch(given) else _time(given)
    until = timestamp(moment)
    if until < (earliest or timestamp(now)):
        raise _bad_retention("A retention cannot lie before the memory's creation.")
    if until > _years_after(timestamp(now)):
        raise _bad_retention(f"A retention is at most {MAX_RETENTION_YEARS} years.")
    return until


def is_expired(until: str, now: str) -> bool:
    """Whether a retention is over: from that very moment on."""
    return bool(until) and now >= until


def normalise_newlines(text: str) -> str:
    """Line ends as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _title(title: str) -> str:
    title = _storable("title", title.strip())
    if not all(char.isprintable() for char in title):
        raise UsageError(
            "A title is one line of printable text.", code="bad-title", hint="Put the rest into the content."
        )
    return _sized("title", title, MAX_TITLE_BYTES)


def _content(content: str) -> str:
    content = _storable("content", normalise_newlines(content))
    if not content.strip():
        raise UsageError("The content is empty.", code="bad-content", hint="Pass --content, --file or standard input.")
    return _sized("content", content, MAX_CONTENT_BYTES)


def _references(references: Iterable[str]) -> tuple[str, ...]:
    found = sorted({_reference(item, "reference") for item in references if item.strip()})
    if len(found) > MAX_REFERENCES:
        raise UsageError(
            f"A memory has at most {MAX_REFERENCES} references; these are {len(found)}.",
            code="too-many-references",
            limit=MAX_REFERENCES,
            hint="Keep the ones that matter.",
        )
    return tuple(found)


def _reference(reference: str, what: str) -> str:
    reference = _storable(what, reference.strip())
    _sized(what, reference, MAX_REFERENCE_BYTES)
    if not reference.isprintable():
        raise UsageError(f"A {what} is one line of printable text.", code="bad-reference")
    check_reference(reference, field=what)
    require_clean(reference, field=what)
    return reference


def _storable(what: str, text: str) -> str:
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError(
            f"The {what} holds NUL or bytes that are not UTF-8.", code="bad-text", hint="Give plain UTF-8."
        )
    return text


def _sized(what: str, text: str, limit: int) -> str:
    size = len(text.encode())
    if not 1 <= size <= limit:
        raise UsageError(
            f"A {what} has 1 to {limit:,} bytes; this one has {size:,}.",
            code=f"bad-{what.replace(' ', '-')}",
            limit=limit,
            hint=f"Give a shorter {what}." if size else f"Give a {what}.",
        )
    return text


def _span(text: str) -> timedelta:
    seconds = sum(float(number) * _SECONDS[unit.lower()] for number, unit in _PART.findall(text))
    return timedelta(seconds=min(seconds, _MORE_THAN_ALLOWED))


def _time(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise _bad_retention(f"The retention {text!r} cannot be read.") from None


def _years_after(stamp: str) -> str:
    return f"{int(stamp[:4]) + MAX_RETENTION_YEARS:04}{stamp[4:]}"


def _bad_retention(message: str) -> UsageError:
    return UsageError(message, code="bad-retention", hint="Use a span such as 720h or 30d, a time, or none.")
