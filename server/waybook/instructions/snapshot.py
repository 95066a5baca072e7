"""From the sources of a target to its snapshot and fingerprint. No input or output here."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from waybook.base.canonical import canonical_json, sha256_hex
from waybook.base.canonical import canonical_text as quoted
from waybook.instructions.model import GUIDANCE_ONLY, Conflict, Ignored, Kind, Limits, Snapshot, Source
from waybook.instructions.protocol import LIMITS, PROTOCOL_VERSION, RESOLUTION_NEARER

if TYPE_CHECKING:
    from collections.abc import Sequence

_AUTHORITY = canonical_json(GUIDANCE_ONLY.to_json())


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
    """For each kind, a source and the next one of its kind where that speaks for another scope; nearer ones last."""
    steps = [step for kind in Kind for step in pairwise([source for source in sources if source.kind is kind])]
    crossings = [(farther, nearer) for farther, nearer in steps if farther.scope != nearer.scope]
    crossings.sort(key=lambda crossing: crossing[1].ordinal)
    return tuple(Conflict(farther.path, nearer.path, RESOLUTION_NEARER) for farther, nearer in crossings)


def fingerprint(
    target: str,
    sources: Sequence[Source],
    ignored: Sequence[Ignored],
    conflicts: Sequence[Conflict],
    limits: Limits = LIMITS,
) -> str:
    """The SHA-256 of what decides a snapshot's meaning; texts enter as digests, times and wording stay out."""
    return sha256_hex(stable_json(target, sources, ignored, conflicts, limits))


def stable_json(
    target: str, sources: Sequence[Source], ignored: Sequence[Ignored], conflicts: Sequence[Conflict], limits: Limits
) -> str:
    """The canonical JSON that is hashed, written piece by piece: a person waits for every explanation's fingerprint."""
    return (
        f'{{"protocol_version":{quoted(PROTOCOL_VERSION)},"target_path":{quoted(target)},'
        f'"sources":[{",".join([_source(source) for source in sources])}],'
        f'"ignored":[{",".join([_ignored(item) for item in ignored])}],'
        f'"conflicts":[{",".join([_conflict(item) for item in conflicts])}],'
        f'"limits":{{"max_files":{limits.max_files},"max_file_bytes":{limits.max_file_bytes},'
        f'"max_total_bytes":{limits.max_total_bytes},"max_depth":{limits.max_depth}}}}}'
    )


def _source(source: Source) -> str:
    applicable = ",".join([quoted(target) for target in source.applicable_to])
    return (
        f'{{"ordinal":{source.ordinal},"path":{quoted(source.path)},"kind":{quoted(source.kind.value)},'
        f'"scope":{quoted(source.scope)},"depth":{source.depth},"precedence":{source.precedence},'
        f'"content_sha256":{quoted(source.content_sha256)},"trust":{quoted(source.trust)},'
        f'"applicable_to":[{applicable}],"redacted":{"true" if source.redacted else "false"},"authority":{_AUTHORITY}}}'
    )


def _ignored(item: Ignored) -> str:
    return f'{{"path":{quoted(item.path)},"reason":{quoted(item.reason)}}}'


def _conflict(item: Conflict) -> str:
    return (
        f'{{"lower_precedence_path":{quoted(item.lower_precedence_path)},'
        f'"higher_precedence_path":{quoted(item.higher_precedence_path)},"resolution":{quoted(item.resolution)}}}'
    )
