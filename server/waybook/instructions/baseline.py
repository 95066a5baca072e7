"""The workspace's baseline: one reviewed snapshot for each directory that holds an instruction source.

A baseline is immutable; reviewing a change appends the next revision. The tree fingerprint names a whole baseline;
drift is judged scope by scope, never by the tree fingerprint alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.canonical import sha256_hex
from waybook.base.clock import timestamp
from waybook.base.errors import ConflictError, DiscoveryError, NotFoundError, RefusedError
from waybook.instructions import repository
from waybook.instructions.ledger import check_live, check_pin
from waybook.instructions.model import Discovery, Snapshot, SnapshotDiff
from waybook.instructions.stored import Mask, difference, dump_snapshot, load_snapshot, require_snapshot

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.store.store import Connection, Store

DiscoverScope = Callable[[str, str], Discovery | None]
"""(workspace root, scope) -> the scope's fresh answer; None when the directory holds no instruction source now."""
DiscoverTree = Callable[[str], Mapping[str, Discovery]]
"""(workspace root) -> the fresh answer of every scope."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was reviewed: by scope ("" is the root) the snapshot of that directory."""

    id: str
    workspace_id: str
    revision: int
    tree_fingerprint: str
    created_by: str
    created_at: str
    snapshots: Mapping[str, Snapshot]


@dataclass(frozen=True, slots=True)
class ScopeDrift:
    """How one scope left the baseline. `state`: `added`, `removed`, `changed`, or `refused` with its `error`.

    `fingerprint` is the pinned one ("" for an added scope), `live_fingerprint` the disk's ("" when removed or refused).
    """

    scope: str
    state: str
    fingerprint: str
    live_fingerprint: str
    diff: SnapshotDiff | None
    error: dict[str, object] | None


@dataclass(frozen=True, slots=True)
class BaselineDrift:
    """A baseline beside the disk; `scopes` lists only what drifted, in order of the scope's name.

    `live_tree_fingerprint` is empty while a scope is refused: a tree that cannot be read has none.
    """

    baseline_id: str
    workspace_id: str
    revision: int
    tree_fingerprint: str
    live_tree_fingerprint: str
    scopes: tuple[ScopeDrift, ...]
    added_scopes: tuple[str, ...]
    removed_scopes: tuple[str, ...]
    stale: bool


def tree_fingerprint(fingerprints: Mapping[str, str]) -> str:
    """SHA-256 over the sorted lines "scope fingerprint", each with its newline; sorted by their UTF-8 bytes."""
    lines = (f"{scope} {mark}\n".encode("utf-8", "surrogatepass") for scope, mark in fingerprints.items())
    return sha256_hex(b"".join(sorted(lines)))


def _marks(snapshots: Mapping[str, Snapshot]) -> dict[str, str]:
    return {scope: snapshot.fingerprint for scope, snapshot in snapshots.items()}


def scope_drift(scope: str, pinned: Snapshot | None, live: Discovery | None) -> ScopeDrift | None:
    """How one scope drifted; None when it did not (also when it is in neither)."""
    before = pinned.fingerprint if pinned else ""
    if isinstance(live, DiscoveryError):
        return ScopeDrift(scope, "refused", before, "", None, live.to_json())
    if live is None:
        return ScopeDrift(scope, "removed", before, "", None, None) if pinned else None
    if live.fingerprint == before:
        return None
    state = "changed" if pinned else "added"
    return ScopeDrift(scope, state, before, live.fingerprint, difference(pinned, live), None)


def drift(baseline: Baseline, live_by_scope: Mapping[str, Discovery]) -> BaselineDrift:
    """A baseline beside the answers of every scope there is now. A refused scope is drift, with its error."""
    found = [
        scope_drift(scope, baseline.snapshots.get(scope), live_by_scope.get(scope))
        for scope in sorted({*baseline.snapshots, *live_by_scope})
    ]
    scopes = tuple(item for item in found if item is not None)
    live = {scope: item for scope, item in live_by_scope.items() if isinstance(item, Snapshot)}
    return BaselineDrift(
        baseline_id=baseline.id,
        workspace_id=baseline.workspace_id,
        revision=baseline.revision,
        tree_fingerprint=baseline.tree_fingerprint,
        live_tree_fingerprint=tree_fingerprint(_marks(live)) if len(live) == len(live_by_scope) else "",
        scopes=scopes,
        added_scopes=tuple(sorted({*live_by_scope} - {*baseline.snapshots})),
        removed_scopes=tuple(sorted({*baseline.snapshots} - {*live_by_scope})),
        stale=bool(scopes),
    )


class BaselineService:
    """The baselines of every workspace. `mask` hides secrets in what is stored."""

    def __init__(self, store: Store, *, mask: Mask) -> None:
        self._store = store
        self._mask = mask

    def newest(self, workspace_id: str) -> Baseline | None:
        """The baseline in force; None for a workspace that was never pinned."""
        with self._store.read() as connection:
            return _newest(connection, workspace_id)

    def pin(self, workspace_id: str, snapshots_by_scope: Mapping[str, Discovery], actor: Actor) -> Baseline:
        """Pin a workspace to what an operator has just seen: the next baseline, or the newest when nothing differs.

        Raises `DiscoveryError` when any scope is refused, `NotFoundError` for an unknown workspace; then nothing was
        written.
        """
        actor.require_operator("pin a workspace")
        snapshots = {scope: require_snapshot(found) for scope, found in sorted(snapshots_by_scope.items())}
        with self._store.write() as connection:
            _root(connection, workspace_id)
            newest = _newest(connection, workspace_id)
            if newest is not None and _marks(newest.snapshots) == _marks(snapshots):
                return newest
            return self._append(connection, workspace_id, newest, snapshots, actor)

    def confirm(
        self,
        workspace_id: str,
        expected_fingerprint: str,
        expected_live_fingerprint: str,
        discover: DiscoverTree,
        actor: Actor,
    ) -> Baseline:
        """Take the whole tree as it is now, if both tree fingerprints are still the ones the operator saw.

        `expected_fingerprint` is the newest baseline's, "" for none. The disk is read under the write lock. Raises
        `ConflictError` (`pin-changed`, `nothing-to-confirm`, `live-changed`), `DiscoveryError`, `NotFoundError` or
        `RefusedError`; then nothing was written.
        """
        actor.require_operator("confirm a workspace's instructions")
        with self._store.write() as connection:
            root = _root(connection, workspace_id)
            newest = _newest(connection, workspace_id)
            check_pin(f"Workspace {workspace_id}", newest.tree_fingerprint if newest else "", expected_fingerprint)
            live = {scope: require_snapshot(found) for scope, found in sorted(discover(root).items())}
            _check_tree(workspace_id, newest, live, expected_live_fingerprint)
            return self._append(connection, workspace_id, newest, live, actor)

    def confirm_scope(
        self,
        workspace_id: str,
        scope: str,
        expected_fingerprint: str,
        expected_live_fingerprint: str,
        discover: DiscoverScope,
        actor: Actor,
    ) -> Baseline:
        """Take one scope as it is now; every other scope stays as pinned.

        `expected_fingerprint` is that scope's in the newest baseline, "" when it is not in it;
        `expected_live_fingerprint` is "" for a directory without instructions, whose scope is then dropped. Raises as
        `confirm` does; without any baseline the workspace has to be pinned first (`NotFoundError`).
        """
        actor.require_operator("confirm a scope's instructions")
        subject = f"Scope {scope or '.'!r}"
        with self._store.write() as connection:
            root = _root(connection, workspace_id)
            newest = _newest(connection, workspace_id)
            if newest is None:
                raise NotFoundError(
                    "This workspace has no baseline yet.", code="no-baseline", hint="Run `waybook pin` first."
                )
            pinned = newest.snapshots.get(scope)
            check_pin(subject, pinned.fingerprint if pinned else "", expected_fingerprint)
            found = answer_or_none(discover, root, scope)
            diff = difference(pinned, found) if found else _removal(pinned)
            check_live(subject, diff, expected_live_fingerprint)
            snapshots = {name: item for name, item in newest.snapshots.items() if name != scope}
            if found is not None:
                snapshots[scope] = found
            return self._append(connection, workspace_id, newest, snapshots, actor)

    def _append(
        self,
        connection: Connection,
        workspace_id: str,
        newest: Baseline | None,
        snapshots: Mapping[str, Snapshot],
        actor: Actor,
    ) -> Baseline:
        row = repository.BaselineRow(
            id=self._store.ids.new("bas"),
            workspace_id=workspace_id,
            revision=newest.revision + 1 if newest else 1,
            tree_fingerprint=tree_fingerprint(_marks(snapshots)),
            scope_count=len(snapshots),
            created_by=actor.name,
            created_at=timestamp(self._store.clock.now()),
        )
        scopes = [
            repository.ScopeRow(_storable(scope), item.fingerprint, dump_snapshot(item, self._mask))
            for scope, item in sorted(snapshots.items())
        ]
        repository.append_baseline(connection, row, scopes)
        return _load(row, scopes)


def answer_or_none(discover: DiscoverScope, root: str, scope: str) -> Snapshot | None:
    """The scope's snapshot, None when there is nothing; raises the refusal."""
    found = discover(root, scope)
    return None if found is None else require_snapshot(found)


def _removal(pinned: Snapshot | None) -> SnapshotDiff:
    removed = tuple(source.path for source in pinned.sources) if pinned else ()
    return SnapshotDiff(
        from_fingerprint=pinned.fingerprint if pinned else "",
        to_fingerprint="",
        added=(),
        removed=removed,
        changed=(),
        order_changed=False,
        requires_confirmation=pinned is not None,
    )


def _check_tree(workspace_id: str, newest: Baseline | None, live: Mapping[str, Snapshot], expected: str) -> None:
    subject, current = f"Workspace {workspace_id}", tree_fingerprint(_marks(live))
    before = _marks(newest.snapshots) if newest else None
    if before == _marks(live):
        msg = f"{subject}: there is nothing to confirm, the disk is what is pinned. Nothing was written."
        raise ConflictError(
            msg,
            code="nothing-to-confirm",
            expected_live_fingerprint=expected,
            live_fingerprint=current,
        )
    if current != expected:
        known = before or {}
        changed = sorted(scope for scope in {*known, *live} if known.get(scope) != _marks(live).get(scope))
        msg = (
            f"{subject}: the files changed after you reviewed them. Nothing was written. "
            f"Scopes that differ from the pin now: {', '.join(scope or '.' for scope in changed)}."
        )
        raise ConflictError(
            msg,
            code="live-changed",
            hint="Review the change again and confirm the fingerprint you see then.",
            expected_live_fingerprint=expected,
            live_fingerprint=current,
            changed_scopes=changed,
        )


def _storable(scope: str) -> str:
    if scope.isprintable():
        return scope
    msg = f"The directory name {scope!r} holds characters that cannot be printed, so it cannot be reviewed or pinned."
    raise RefusedError(
        msg,
        code="bad-name",
        path=scope.encode("utf-8", "backslashreplace").decode(),
        hint="Rename the directory, or list its instruction files in .prayu/instructions.ignore.",
    )


def _root(connection: Connection, workspace_id: str) -> str:
    root = repository.workspace_root(connection, workspace_id)
    if root is None:
        msg = f"There is no workspace {workspace_id!r}."
        raise NotFoundError(
            msg,
            code="no-workspace",
            hint="`waybook workspace list` shows the registered ones.",
        )
    return root


def _newest(connection: Connection, workspace_id: str) -> Baseline | None:
    row = repository.newest_baseline(connection, workspace_id)
    return None if row is None else _load(row, repository.baseline_scopes(connection, row.id))


def _load(row: repository.BaselineRow, scopes: list[repository.ScopeRow] | tuple[repository.ScopeRow, ...]) -> Baseline:
    return Baseline(
        id=row.id,
        workspace_id=row.workspace_id,
        revision=row.revision,
        tree_fingerprint=row.tree_fingerprint,
        created_by=row.created_by,
        created_at=row.created_at,
        snapshots={item.scope: load_snapshot(item.snapshot, item.fingerprint) for item in scopes},
    )
