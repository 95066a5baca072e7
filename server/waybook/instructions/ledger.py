"""What a run is pinned to: inspect it beside the disk, and confirm a change as a new, immutable revision.

A run never follows the disk by itself. Only an operator moves its pin, naming both the fingerprint they saw pinned and
the one they reviewed live; the disk is read again under the write lock, so nothing slips in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import ConflictError, DiscoveryError, NotFoundError, WaybookError
from waybook.instructions import repository
from waybook.instructions.stored import (
    Discover,
    Mask,
    answer,
    difference,
    dump_diff,
    dump_snapshot,
    load_diff,
    load_snapshot,
    require_snapshot,
)

if TYPE_CHECKING:
    from waybook.base.actor import Actor
    from waybook.instructions.model import Snapshot, SnapshotDiff
    from waybook.store.store import Connection, Store


@dataclass(frozen=True, slots=True)
class Revision:
    """One step of a run's history; the snapshot itself stays in the store."""

    revision: int
    fingerprint: str
    previous_fingerprint: str
    diff: SnapshotDiff
    confirmed_by: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """A run's pin beside the disk.

    `pinned` is the newest revision's snapshot, None for a run without a pin; `live` is the disk's, None when its
    discovery was refused, which `error` then says. `stale`: the disk is not, or cannot be shown to be, what is pinned.
    `refresh_confirmed`: this answer comes from a confirmation that was just written. Nothing here grants anything.
    """

    run_id: str
    workspace_id: str
    pinned: Snapshot | None
    live: Snapshot | None
    error: dict[str, object] | None
    diff: SnapshotDiff | None
    history: tuple[Revision, ...]
    pinned_present: bool
    stale: bool
    refresh_confirmed: bool
    capability_grant: bool = False


class LedgerService:
    """The instruction ledger of every run. `mask` hides secrets in what is stored."""

    def __init__(self, store: Store, *, mask: Mask) -> None:
        self._store = store
        self._mask = mask

    def inspect(self, run_id: str, discover: Discover) -> Inspection:
        """A run's pin, the disk now, what separates them, and the history. Raises `NotFoundError`."""
        with self._store.read() as connection:
            run = _run(connection, run_id)
            pinned = _pinned(connection, run_id)
            history = _history(connection, run_id)
        found = answer(lambda: discover(run.root, run.target))
        refused = isinstance(found, DiscoveryError)
        live = None if isinstance(found, DiscoveryError) else found
        return Inspection(
            run_id=run_id,
            workspace_id=run.workspace_id,
            pinned=pinned,
            live=live,
            error=found.to_json() if isinstance(found, DiscoveryError) else None,
            diff=None if live is None else difference(pinned, live),
            history=history,
            pinned_present=pinned is not None,
            stale=pinned is not None and (refused or live is None or live.fingerprint != pinned.fingerprint),
            refresh_confirmed=False,
        )

    def pinned(self, run_id: str) -> tuple[Snapshot, Revision] | None:
        """The snapshot a run is pinned to and the revision that says so; None without a pin. Raises `NotFoundError`."""
        with self._store.read() as connection:
            _run(connection, run_id)
            snapshot = _pinned(connection, run_id)
            return None if snapshot is None else (snapshot, _history(connection, run_id)[-1])

    def confirm(
        self,
        run_id: str,
        expected_fingerprint: str,
        expected_live_fingerprint: str,
        discover: Discover,
        actor: Actor,
    ) -> Inspection:
        """Pin a run to what the disk says now, if both fingerprints are still the ones the operator saw.

        `expected_fingerprint` is empty for a run without a pin, which gets revision 1. Raises `ConflictError` (codes
        `pin-changed`, `nothing-to-confirm`, `live-changed`), `DiscoveryError`, `NotFoundError` or `RefusedError`;
        then nothing was written.
        """
        actor.require_operator("confirm a run's instructions")
        with self._store.write() as connection:
            run = _run(connection, run_id)
            pinned = _pinned(connection, run_id)
            check_pin(f"Run {run_id}", pinned.fingerprint if pinned else "", expected_fingerprint)
            live = require_snapshot(discover(run.root, run.target))
            diff = difference(pinned, live)
            check_live(f"Run {run_id}", diff, expected_live_fingerprint)
            number = append(connection, run_id, live, diff, actor, timestamp(self._store.clock.now()), self._mask)
            history = _history(connection, run_id)
            stored = repository.newest_revision(connection, run_id)
        if stored is None or stored.revision != number:
            raise RuntimeError("the revision just written is not the newest")
        kept = load_snapshot(stored.snapshot, stored.fingerprint)
        return Inspection(
            run_id=run_id,
            workspace_id=run.workspace_id,
            pinned=kept,
            live=live,
            error=None,
            diff=difference(kept, live),
            history=history,
            pinned_present=True,
            stale=False,
            refresh_confirmed=True,
        )


def append(
    connection: Connection,
    run_id: str,
    live: Snapshot,
    diff: SnapshotDiff,
    actor: Actor,
    now: str,
    mask: Mask,
) -> int:
    """Add the next revision of a run within the caller's transaction; returns its number."""
    newest = repository.newest_revision(connection, run_id)
    number = newest.revision + 1 if newest else 1
    row = repository.RevisionRow(
        revision=number,
        fingerprint=live.fingerprint,
        previous_fingerprint=newest.fingerprint if newest else "",
        diff=dump_diff(diff),
        confirmed_by=actor.name,
        created_at=now,
        snapshot=dump_snapshot(live, mask),
    )
    repository.append_revision(connection, run_id, row)
    return number


def check_pin(subject: str, current: str, expected: str) -> None:
    """Raise `ConflictError` unless the pin is still the one the operator saw ("" for none)."""
    if current == expected:
        return
    if not current:
        message = f"{subject} has no pin yet; the pin you name is not its."
    elif not expected:
        message = f"{subject} is pinned by now; you took it for unpinned."
    else:
        message = f"{subject} is pinned to another fingerprint by now than the one you name."
    msg = f"{message} Nothing was written."
    raise ConflictError(
        msg,
        code="pin-changed",
        hint="Inspect it again and confirm what you see then.",
        expected_fingerprint=expected,
        current_fingerprint=current,
    )


def check_live(subject: str, diff: SnapshotDiff, expected: str) -> None:
    """Raise `ConflictError` when the disk is what is pinned already, or not what the operator reviewed."""
    current = diff.to_fingerprint
    if current == diff.from_fingerprint:
        msg = f"{subject}: there is nothing to confirm, the disk is what is pinned. Nothing was written."
        raise ConflictError(
            msg,
            code="nothing-to-confirm",
            expected_live_fingerprint=expected,
            live_fingerprint=current,
        )
    if current != expected:
        msg = (
            f"{subject}: the files changed after you reviewed them. Nothing was written. "
            f"Against the pin they now show {describe(diff)}."
        )
        raise ConflictError(
            msg,
            code="live-changed",
            hint="Review the change again and confirm the fingerprint you see then.",
            expected_live_fingerprint=expected,
            live_fingerprint=current,
            added=list(diff.added),
            removed=list(diff.removed),
            changed=list(diff.changed),
            order_changed=diff.order_changed,
        )


def describe(diff: SnapshotDiff) -> str:
    """A diff in words: "added a; removed b, c; changed d; another order"."""
    parts = [
        f"{word} {', '.join(paths)}"
        for word, paths in (("added", diff.added), ("removed", diff.removed), ("changed", diff.changed))
        if paths
    ]
    if diff.order_changed:
        parts.append("another order")
    return "; ".join(parts) or "a change in what is ignored or in conflict"


def _run(connection: Connection, run_id: str) -> repository.RunRow:
    row = repository.find_run(connection, run_id)
    if row is None:
        raise no_run(run_id)
    return row


def no_run(run_id: str) -> WaybookError:
    """The error for a run id that nobody gave out."""
    return NotFoundError(f"There is no run {run_id!r}.", code="no-run", hint="`waybook run list` shows the runs.")


def _pinned(connection: Connection, run_id: str) -> Snapshot | None:
    row = repository.newest_revision(connection, run_id)
    return None if row is None else load_snapshot(row.snapshot, row.fingerprint)


def _history(connection: Connection, run_id: str) -> tuple[Revision, ...]:
    return tuple(
        Revision(
            revision=row.revision,
            fingerprint=row.fingerprint,
            previous_fingerprint=row.previous_fingerprint,
            diff=load_diff(row.diff),
            confirmed_by=row.confirmed_by,
            created_at=row.created_at,
        )
        for row in repository.revisions(connection, run_id)
    )
