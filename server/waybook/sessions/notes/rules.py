"""What a note may hold: sizes, references, no secrets. The sizes are those of a memory, so that each note can become one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.canonical import digest
from waybook.base.errors import RefusedError, UsageError
from waybook.secrets import check_reference, redact, require_clean
from waybook.sessions.notes.model import NoteKind
from waybook.sessions.text import require_storable, short_text, title_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.sessions.notes.model import Visibility

MAX_CONTENT_BYTES = 16 * 1024
MAX_REFERENCE_BYTES = 512
MAX_REFERENCES = 32
"""Source reference and evidence together, as many as a memory has."""


def parse_kind(text: str) -> NoteKind:
    """The kind of this name; raises `UsageError`."""
    try:
        return NoteKind(text)
    except ValueError as error:
        raise UsageError(
            f"There is no kind of note {text!r}.", code="bad-kind", hint=f"The kinds are: {', '.join(NoteKind)}."
        ) from error


def parse_visibility(text: str) -> Visibility:
    """`root` or `specialist`; raises `UsageError`."""
    if text == "root":
        return "root"
    if text == "specialist":
        return "specialist"
    raise UsageError(f"There is no visibility {text!r}.", code="bad-visibility", hint="Pass root or specialist.")


def clean_title(text: str, *, redact_sensitive: bool) -> tuple[str, bool]:
    """A title of one line, 1 to 256 bytes, and whether something in it was redacted."""
    require_storable("title", text)
    text, redacted = _clean("title", text, redact_sensitive=redact_sensitive)
    return title_line(text), redacted


def clean_content(text: str, *, redact_sensitive: bool) -> tuple[str, bool]:
    """A content with LF line ends, 1 byte to 16 KiB, and whether something in it was redacted.

    Raises `RefusedError` (code `secret-found`) for a secret, unless it may be redacted; `UsageError` for a bad size.
    """
    require_storable("content", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    text, redacted = _clean("content", text, redact_sensitive=redact_sensitive)
    size = len(text.encode())
    if not text.strip() or size > MAX_CONTENT_BYTES:
        msg = f"A note has 1 to {MAX_CONTENT_BYTES:,} bytes; this one has {size:,}."
        raise UsageError(msg, code="bad-content", limit=MAX_CONTENT_BYTES, hint="Shorten it, or write two notes.")
    return text, redacted


def _clean(field: str, text: str, *, redact_sensitive: bool) -> tuple[str, bool]:
    if not redact_sensitive:
        require_clean(text, field=field, redactable=True)
        return text, False
    clean = redact(text)
    return clean.text, bool(clean.findings)


def clean_source(text: str) -> str:
    """A source reference of at most 512 bytes, or "". A sensitive place or a secret in it is always refused."""
    return _reference("source reference", text) if text.strip() else ""


def clean_evidence(items: Iterable[str], source_ref: str) -> tuple[str, ...]:
    """References, trimmed, each once, sorted; at most 32 together with the source reference."""
    found = tuple(sorted({_reference("evidence", item) for item in items if item.strip()}))
    if len({*found, source_ref} - {""}) > MAX_REFERENCES:
        msg = f"A note has at most {MAX_REFERENCES} references; this one has {len(found)}."
        raise RefusedError(msg, code="too-many-references", limit=MAX_REFERENCES, hint="Name fewer of them.")
    return found


def _reference(field: str, text: str) -> str:
    text = short_text(field, text, MAX_REFERENCE_BYTES)
    check_reference(text, field=field)
    require_clean(text, field=field)
    return text


def fingerprint(title: str, content: str, source_ref: str, evidence: tuple[str, ...]) -> str:
    """The digest of what a note says and rests on; times, versions and writers do not count."""
    return digest({"title": title, "content": content, "source_ref": source_ref, "evidence": list(evidence)})
