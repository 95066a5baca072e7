"""Snapshots and diffs on their way into the database and back.

What is stored is the snapshot's JSON with each content passed through `mask`: secrets that the protocol's own redaction
does not know never reach the disk, while hashes and fingerprints stay those of the discovered text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from waybook.base.errors import DiscoveryError, StoreError
from waybook.base.records import to_json
from waybook.instructions.diff import diff
from waybook.instructions.model import (
    GUIDANCE_ONLY,
    Conflict,
    Discovery,
    Ignored,
    Kind,
    Limits,
    Snapshot,
    SnapshotDiff,
    Source,
)

Mask = Callable[[str], str]
"""Gives a text back with its secrets masked."""
Discover = Callable[[str, str], Discovery]
"""(workspace root, target) -> a fresh snapshot; a refusal is returned or raised."""


def answer(discover: Callable[[], Discovery]) -> Discovery:
    """What discovery says, a raised refusal being an answer like any other."""
    try:
        return discover()
    except DiscoveryError as error:
        return error


def require_snapshot(found: Discovery) -> Snapshot:
    """The snapshot; raises the refusal."""
    if isinstance(found, DiscoveryError):
        raise found
    return found


def difference(before: Snapshot | None, after: Snapshot) -> SnapshotDiff:
    """What separates a pin from the disk; without a pin everything is added, from the empty fingerprint."""
    if before is not None:
        return diff(before, after)
    return SnapshotDiff(
        from_fingerprint="",
        to_fingerprint=after.fingerprint,
        added=tuple(source.path for source in after.sources),
        removed=(),
        changed=(),
        order_changed=False,
        requires_confirmation=True,
    )


def dump_snapshot(snapshot: Snapshot, mask: Mask) -> str:
    """A snapshot as the database keeps it: ASCII JSON, so that any path a file system knows comes back unchanged."""
    masked = replace(snapshot, sources=tuple(replace(item, content=mask(item.content)) for item in snapshot.sources))
    return _dump(masked.to_json())


def dump_diff(value: SnapshotDiff) -> str:
    """A diff as the database keeps it."""
    return _dump(to_json(value))


def _dump(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def load_snapshot(text: str, fingerprint: str) -> Snapshot:
    """The stored snapshot of this fingerprint; `raw_bytes` is 0, it is not kept.

    Raises `StoreError` (code store-damaged) for anything but what `dump_snapshot` wrote.
    """
    try:
        snapshot = snapshot_from_json(json.loads(text))
    except (ValueError, KeyError, TypeError) as error:
        msg = f"A stored snapshot cannot be read ({type(error).__name__}: {error})."
        raise _damaged(msg, fingerprint) from error
    if snapshot.fingerprint != fingerprint:
        raise _damaged("A stored snapshot does not carry the fingerprint it is filed under.", fingerprint)
    return snapshot


def _damaged(message: str, fingerprint: str) -> StoreError:
    return StoreError(
        message,
        code="store-damaged",
        hint="Put back a backup of the store, or pin again.",
        fingerprint=fingerprint,
    )


def snapshot_from_json(data: Mapping[str, Any]) -> Snapshot:
    """The snapshot that `Snapshot.to_json` gave. Raises `KeyError`, `TypeError` or `ValueError` for other data."""
    limits = data["limits"]
    return Snapshot(
        protocol_version=_text(data["protocol_version"]),
        target_path=_text(data["target_path"]),
        sources=tuple(_source(item) for item in data["sources"]),
        ignored=tuple(Ignored(_text(item["path"]), _text(item["reason"])) for item in data["ignored"]),
        conflicts=tuple(
            Conflict(
                _text(item["lower_precedence_path"]),
                _text(item["higher_precedence_path"]),
                _text(item["resolution"]),
            )
            for item in data["conflicts"]
        ),
        fingerprint=_text(data["fingerprint"]),
        loaded_at=_text(data["loaded_at"]),
        limits=Limits(
            max_files=_number(limits["max_files"]),
            max_file_bytes=_number(limits["max_file_bytes"]),
            max_total_bytes=_number(limits["max_total_bytes"]),
            max_depth=_number(limits["max_depth"]),
        ),
    )


def _source(data: Mapping[str, Any]) -> Source:
    if data["authority"] != GUIDANCE_ONLY.to_json():
        raise ValueError("a source claims an authority that no source has")
    return Source(
        ordinal=_number(data["ordinal"]),
        path=_text(data["path"]),
        kind=Kind(data["kind"]),
        scope=_text(data["scope"]),
        depth=_number(data["depth"]),
        precedence=_number(data["precedence"]),
        content=_text(data["content"]),
        content_sha256=_text(data["content_sha256"]),
        loaded_at=_text(data["loaded_at"]),
        trust=_text(data["trust"]),
        applicable_to=tuple(_text(item) for item in data["applicable_to"]),
        why_effective=_text(data["why_effective"]),
        redacted=_flag(data["redacted"]),
    )


def load_diff(text: str) -> SnapshotDiff:
    """The stored diff. Raises `StoreError` for anything but what `dump_diff` wrote."""
    try:
        data = json.loads(text)
        return SnapshotDiff(
            from_fingerprint=_text(data["from_fingerprint"]),
            to_fingerprint=_text(data["to_fingerprint"]),
            added=tuple(_text(item) for item in data["added"]),
            removed=tuple(_text(item) for item in data["removed"]),
            changed=tuple(_text(item) for item in data["changed"]),
            order_changed=_flag(data["order_changed"]),
            requires_confirmation=_flag(data["requires_confirmation"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        msg = f"A stored diff cannot be read ({type(error).__name__}: {error})."
        raise _damaged(msg, "") from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is expected")
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("a whole number is expected")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("true or false is expected")
    return value
