"""What separates two snapshots of one target."""

from __future__ import annotations

from waybook.instructions.model import Snapshot, SnapshotDiff, Source


def diff(before: Snapshot, after: Snapshot) -> SnapshotDiff:
    """Sources added, removed and changed (hash, scope, kind or precedence), each in reading order.

    `order_changed` tells whether the sources that both have stand in another order. Any difference of fingerprints
    requires confirmation, also one that only concerns ignored files or conflicts.
    """
    old = {source.path: source for source in before.sources}
    new = {source.path: source for source in after.sources}
    return SnapshotDiff(
        from_fingerprint=before.fingerprint,
        to_fingerprint=after.fingerprint,
        added=tuple(path for path in new if path not in old),
        removed=tuple(path for path in old if path not in new),
        changed=tuple(path for path in new if path in old and _essence(old[path]) != _essence(new[path])),
        order_changed=[path for path in old if path in new] != [path for path in new if path in old],
        requires_confirmation=before.fingerprint != after.fingerprint,
    )


def _essence(source: Source) -> tuple[str, str, str, int]:
    return source.content_sha256, source.scope, source.kind.value, source.precedence
