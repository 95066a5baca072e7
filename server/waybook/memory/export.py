"""Memories as one JSON document, and back (`context_memory_export.v1`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from waybook.base.errors import UsageError
from waybook.memory.model import Draft, Memory, Scope, SourceKind, Status

PROTOCOL = "context_memory_export.v1"
MAX_BYTES = 64 * 1024 * 1024
MAX_RECORDS = 20_000


@dataclass(frozen=True, slots=True)
class Export:
    """The document. `include_inactive`: disabled and expired memories are in it as well."""

    protocol: str
    exported_at: str
    include_inactive: bool
    memories: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: the new memories' ids, and how many were there already."""

    added: tuple[str, ...]
    already_there: int


def drafts(document: str, workspace_id: str, *, redact_sensitive: bool) -> tuple[Draft, ...]:
    """The memories of an export as drafts: the user's for the user, every project's for `workspace_id`.

    Raises `UsageError` for what is no export, naming the record (from 1) and the field.
    """
    found = _parse(document)
    made = []
    for number, record in enumerate(found, 1):
        scope = _text(record, "scope", number)
        made.append(
            Draft(
                scope=scope,
                scope_id="" if scope == Scope.USER else workspace_id,
                title=_text(record, "title", number),
                content=_text(record, "content", number),
                source_kind=SourceKind.IMPORT,
                source_ref=_text(record, "source_ref", number, ""),
                references=_texts(record, number),
                retention=_text(record, "retention_until", number, ""),
                redact_sensitive=redact_sensitive,
                status=_status(record, number),
            )
        )
    return tuple(made)


def needs_workspace(document: str) -> bool:
    """Whether an export holds memories of a project."""
    return any(record.get("scope") == Scope.PROJECT for record in _parse(document))


def _parse(document: str) -> list[dict[str, Any]]:
    if len(document) > MAX_BYTES:
        raise UsageError(f"An export has at most {MAX_BYTES:,} bytes.", code="bad-export", limit=MAX_BYTES)
    try:
        body = json.loads(document, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise _bad(f"This is no JSON document: {error}.") from None
    if not isinstance(body, dict) or body.get("protocol") != PROTOCOL:
        raise _bad(f"This is no export: its protocol is not {PROTOCOL}.")
    records = body.get("memories")
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise _bad("The export's memories are not a list of objects.")
    if len(records) > MAX_RECORDS:
        raise UsageError(f"An import has at most {MAX_RECORDS:,} memories.", code="bad-export", limit=MAX_RECORDS)
    return records


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return body


def _text(record: dict[str, Any], name: str, number: int, default: str | None = None) -> str:
    value = record.get(name, default)
    if not isinstance(value, str):
        raise _bad(f"Memory {number} of the export: {name} is not text.")
    return value


def _texts(record: dict[str, Any], number: int) -> tuple[str, ...]:
    value = record.get("references", [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _bad(f"Memory {number} of the export: references is not a list of texts.")
    return tuple(value)


def _status(record: dict[str, Any], number: int) -> Status:
    try:
        return Status(_text(record, "status", number, Status.ACTIVE.value))
    except ValueError:
        raise _bad(f"Memory {number} of the export: status is active or disabled.") from None


def _bad(message: str) -> UsageError:
    return UsageError(
        message, code="bad-export", hint="Give a file that `waybook memory export` wrote; nothing was imported."
    )
