"""From the sources of a target to its snapshot and fingerprint. No input or output here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybook.base.canonical import digest
from waybook.instructions.model import GUIDANCE_ONLY, Conflict, Ignored, Kind, Limits, Snapshot, Source
from waybook.instructions.protocol import LIMITS, PROTOCOL_VERSION, RESOLUTION_NEARER

if TYPE_CHECKING:
    from collections.abc import Sequence

_AUTHORITY = GUIDANCE_ONLY.to_json()


def make_snapshot(target: str, sources: tuple[Source, ...], ignored: tuple[Ignored, ...], loaded_at: str) -> Snapshot:
    """The snapshot of a target from its sources in reading order."""
    conflicts = find_conflicts(sources)
    return Snapshot(
        protocol_version=PROTOCOL_VERSION,
        target_path=target,
        sources=sources,
        ignored=ignored,
        conflicts=conflicts,
        fingerprint=fingerprint(target, sources, ignored, conflicts),
        loaded_at=loaded_at,
        limits=LIMITS,
    )


def find_conflicts(sources: Sequence[Source]) -> tuple[Conflict, ...]:
    """A record for each source that follows one of its kind from another scope, in reading order of the nearer one."""
    latest: dict[Kind, Source] = {}
    conflicts: list[Conflict] = []
    for source in sources:
        before = latest.get(source.kind)
        if before is not None and before.scope != source.scope:
            conflicts.append(Conflict(before.path, source.path, RESOLUTION_NEARER))
        latest[source.kind] = source
    return tuple(conflicts)


def fingerprint(
    target: str,
    sources: Sequence[Source],
    ignored: Sequence[Ignored],
    conflicts: Sequence[Conflict],
    limits: Limits = LIMITS,
) -> str:
    """The SHA-256 of what decides a snapshot's meaning; texts enter as digests, times and wording stay out."""
    return digest(
        {
            "protocol_version": PROTOCOL_VERSION,
            "target_path": target,
            "sources": [_stable(source) for source in sources],
            "ignored": [{"path": item.path, "reason": item.reason} for item in ignored],
            "conflicts": [
                {
                    "lower_precedence_path": item.lower_precedence_path,
                    "higher_precedence_path": item.higher_precedence_path,
                    "resolution": item.resolution,
                }
                for item in conflicts
            ],
            "limits": {
                "max_files": limits.max_files,
                "max_file_bytes": limits.max_file_bytes,
                "max_total_bytes": limits.max_total_bytes,
                "max_depth": limits.max_depth,
            },
        },
    )


def _stable(source: Source) -> dict[str, Any]:
    return {
        "ordinal": source.ordinal,
        "path": source.path,
        "kind": source.kind.value,
        "scope": source.scope,
        "depth": source.depth,
        "precedence": source.precedence,
        "content_sha256": source.content_sha256,
        "trust": source.trust,
        "applicable_to": source.applicable_to,
        "redacted": source.redacted,
        "authority": _AUTHORITY,
    }
