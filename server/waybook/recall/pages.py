"""Cutting a text into pages of UTF-8 bytes, each on a character boundary; together they are the text, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass

from waybook.base.canonical import sha256_hex
from waybook.base.errors import ConflictError, UsageError
from waybook.recall.model import MAX_PAGE_BYTES

_LEAST = 4
"""Bytes of the longest character in UTF-8."""
_CONTINUES, _BEGINS = 0x80, 0xC0
"""Bytes between these go on with a character of UTF-8."""


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a text."""

    text: str
    offset: int
    next_offset: int | None
    total_bytes: int


@dataclass(frozen=True, slots=True)
class Wish:
    """Which page is wanted. `content_sha256` is required from page two on and must be that of the text."""

    offset: int = 0
    max_bytes: int = 0
    content_sha256: str = ""


def cut(text: str, wish: Wish) -> Part:
    """The page that begins at `wish.offset`. Raises `UsageError` for an offset inside a character or past the end."""
    data = text.encode("utf-8", "replace")
    if not _LEAST <= wish.max_bytes <= MAX_PAGE_BYTES:
        raise UsageError(f"A page has {_LEAST} to {MAX_PAGE_BYTES:,} bytes.", code="bad-page", limit=MAX_PAGE_BYTES)
    at = wish.offset
    if not 0 <= at <= len(data) or (at and at == len(data)) or _inside(data, at):
        raise UsageError(
            f"No page begins at byte {at}.",
            code="bad-offset",
            limit=len(data),
            hint="Pass next_offset of the page before.",
        )
    end = min(len(data), at + wish.max_bytes)
    while _inside(data, end):
        end -= 1
    return Part(data[at:end].decode(), at, end if end < len(data) else None, len(data))


def _inside(data: bytes, at: int) -> bool:
    return at < len(data) and _CONTINUES <= data[at] < _BEGINS


def require_hash(text: str, wish: Wish) -> str:
    """The digest of a text; raises unless the caller of a later page knows it.

    `UsageError` where it is missing, `ConflictError` where the text is another one now.
    """
    digest = sha256_hex(text)
    if wish.offset > 0 and not wish.content_sha256:
        raise UsageError(
            "From page two on the content's hash is required.",
            code="hash-required",
            hint="Pass content_sha256 of the first page.",
        )
    if wish.content_sha256 and wish.content_sha256 != digest:
        raise changed()
    return digest


def changed() -> ConflictError:
    """The source is not what the handle was made for."""
    return ConflictError(
        "The source has changed since it was found.",
        code="source-changed",
        hint="Search again and read from its beginning.",
    )
