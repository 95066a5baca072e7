"""Recursive tasks as they are kept: roots with an anchor, children with briefs, references, reviewed results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.base.clock import timestamp
from waybook.base.errors import ConflictError, StoreError
from waybook.context.service import require_trace
from waybook.tasks import repository
from waybook.tasks.model import BriefVersion, ContextRef, ReferenceEvent, Result, Reviewed
from waybook.tasks.normal import normal_json, normal_text, normalise_anchor, normalise_brief
from waybook.tasks.packet import Material, build_packet
from waybook.tasks.references import (
    Catalogue,
    brief_snapshot,
    catalogue,
    child_access,
    read,
    result_snapshot,
    room_for,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from waybook.base.actor import Actor
    from waybook.context.repository import TraceRecord
    from waybook.context.service import ContextService
    from waybook.context.trace import Trace
    from waybook.store.store import Connection, Store
    from waybook.tasks.model import Anchor, Brief, Packet


@dataclass(frozen=True, slots=True)
class Root:
    """A new recursive root."""

    trace: TraceRecord
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Child:
    """A child with the brief it works by."""

    trace: TraceRecord
    brief: BriefVersion


@dataclass(frozen=True, slots=True)
class Held:
    """What one trace works by: the root's anchor (None: an older trace), its brief (None: a root), its references."""

    trace: TraceRecord
    anchor: Anchor | None
    briefs: tuple[BriefVersion, ...]
    references: Catalogue
    results: tuple[tuple[int, int, str, str], ...] = ()

    @property
    def brief(self) -> BriefVersion | None:
        """The current brief."""
        return self.briefs[-1] if self.briefs else None


class TaskService:
    """Contracts in one store. `mask` hides secrets in what is kept, before it is normalised."""

    def __init__(self, store: Store, contexts: ContextService, *, mask: Callable[[str], str]) -> None:
        self._store = store
        self._contexts = contexts
        self._mask = mask

    def open_root(
        self,
        anchor: Mapping[str, Any],
        actor: Actor,
        *,
        run_id: str = "",
        thread_id: str = "",
        capabilities: Sequence[str] = (),
    ) -> Root:
        """Start a recursive root; its anchor is kept once and for all. Raises as `normalise_anchor` does."""
        settled = normalise_anchor(self._masked(anchor))
        with self._store.write() as connection:
            trace = self._contexts.open_in(
                connection, actor, None, run_id=run_id, thread_id=thread_id, capabilities=capabilities
            )
            repository.add_anchor(connection, trace.id, settled, actor.name, self._now())
        return Root(trace, settled)

    def settle_brief(self, parent_id: str, brief: Mapping[str, Any]) -> Brief:
        """The brief that raw fields mean below a parent: what approving and handing down both use."""
        with self._store.read() as connection:
            parent = require_trace(connection, parent_id)
            return self._settle(connection, parent, brief)[1]

    def delegate(
        self, parent_id: str, brief: Mapping[str, Any], actor: Actor, *, capabilities: Sequence[str] | None = None
    ) -> Child:
        """Start a child with a brief. It gets lineage, capabilities and references; no history, no goals.

        `capabilities`: of the parent's, those it gets (None: all). Raises `ConflictError` for a root without an anchor
        (`no-anchor`) or a brief that is not the one approved (`brief-not-approved`), and as `normalise_brief` and
        `child_access` do; then nothing was written.
        """
        with self._store.write() as connection:
            parent = require_trace(connection, parent_id)
            anchor, settled = self._settle(connection, parent, brief)
            _require_approved(connection, parent_id, settled)
            kept = parent.capabilities if capabilities is None else capabilities
            trace = self._contexts.open_in(connection, actor, parent, capabilities=kept)
            version = BriefVersion(trace.id, 1, settled, actor.name, self._now())
            repository.add_brief(connection, version, anchor.sha256)
            self._grant(connection, parent, trace.id, settled, 0)
        return Child(trace, version)

    def revise(self, child_id: str, brief: Mapping[str, Any], actor: Actor) -> Child:
        """Give a child its next brief. Its references are taken away, and those that this brief names are given.

        Raises as `delegate` does.
        """
        with self._store.write() as connection:
            child = require_trace(connection, child_id)
            if not child.parent_id:
                raise ConflictError("A root has no brief; its anchor stays as it is.", code="root-task")
            parent = require_trace(connection, child.parent_id)
            anchor, settled = self._settle(connection, parent, brief)
            _require_approved(connection, parent.id, settled)
            number = len(repository.briefs_of(connection, child_id)) + 1
            version = BriefVersion(child_id, number, settled, actor.name, self._now())
            repository.add_brief(connection, version, anchor.sha256)
            repository.add_event(connection, child_id, ReferenceEvent("clear", child.head), self._now())
            self._grant(connection, parent, child_id, settled, child.head)
        return Child(child, version)

    def review(self, child_id: str, result: Result, actor: Actor) -> Reviewed:
        """Keep a parent's review of a child's result; the parent may then refer to it.

        A result too large to refer to is kept all the same, with a warning.
        """
        with self._store.write() as connection:
            child = require_trace(connection, child_id)
            if not child.parent_id:
                raise ConflictError("A root is reviewed by a person, not by a parent.", code="root-task")
            parent = require_trace(connection, child.parent_id)
            briefs = repository.briefs_of(connection, child_id)
            body = normal_text(
                normal_json(
                    {"report": result.report, "validation": result.validation, "review": result.review}, "A result"
                )
            )
            now = self._now()
            number = repository.add_result(
                connection,
                child_id,
                brief_version=briefs[-1].version if briefs else 0,
                verdict=result.verdict,
                body=self._mask(body),
                next_brief_sha256=result.next_brief.sha256 if result.next_brief else "",
                by=actor.name,
                now=now,
            )
            snapshot = result_snapshot(child_id, self._masked_result(result))
            held = catalogue(repository.events_of(connection, parent.id))
            problem = room_for(held, snapshot) if snapshot else "the result is too large for a reference"
            if snapshot is None or problem:
                return Reviewed(child_id, number, None, f"The review was kept; it cannot be referred to: {problem}.")
            repository.add_event(connection, parent.id, ReferenceEvent("grant", parent.head, snapshot), now)
        return Reviewed(child_id, number, snapshot.ref, "")

    def read_reference(self, trace_id: str, ref: ContextRef) -> str:
        """The text of a reference in a trace's own catalogue. Raises `NotFoundError`."""
        with self._store.read() as connection:
            require_trace(connection, trace_id)
            return read(catalogue(repository.events_of(connection, trace_id)), ref)

    def rewind(self, trace: Trace, sequence: int, actor: Actor) -> None:
        """Go back in a trace; what was granted after the cut is taken back with it."""

        def also(connection: Connection) -> None:
            repository.add_event(connection, trace.id, ReferenceEvent("rewind", sequence), self._now())

        self._contexts.rewind(trace, sequence, actor, also)

    def held(self, trace_id: str) -> Held:
        """What one trace works by. Raises `NotFoundError`."""
        with self._store.read() as connection:
            return _held(connection, require_trace(connection, trace_id))

    def tree(self, trace_id: str) -> tuple[Held, ...]:
        """Every task of the tree that a trace belongs to, oldest first."""
        from waybook.context.repository import traces_of

        with self._store.read() as connection:
            root = require_trace(connection, trace_id).root_id
            return tuple(_held(connection, record) for record in traces_of(connection, "root_id", root))

    def packet(
        self, trace: Trace, report: Any, *, plan: Any = None, artifacts: Any = None, candidate: Any = None
    ) -> Packet:
        """What a validator of a trace's work is given: see `build_packet`. Raises `ConflictError` without an anchor."""
        held = self.held(trace.id)
        if held.anchor is None:
            raise _no_anchor(held.trace)
        brief = held.brief.brief if held.brief else None
        return build_packet(Material(held.anchor, brief, report, plan, artifacts, candidate), trace.path())

    # --- parts --------------------------------------------------------------------------------------------------------

    def _settle(self, connection: Connection, parent: TraceRecord, brief: Mapping[str, Any]) -> tuple[Anchor, Brief]:
        anchor = _anchor(connection, parent.root_id)
        if anchor is None:
            raise _no_anchor(parent)
        above = repository.briefs_of(connection, parent.id)
        if parent.parent_id and not above:
            raise ConflictError("The parent has no brief of its own to hand on from.", code="no-brief")
        return anchor, normalise_brief(self._masked(brief), anchor, above[-1].brief if above else None)

    def _grant(self, connection: Connection, parent: TraceRecord, child_id: str, brief: Brief, at: int) -> None:
        above = repository.briefs_of(connection, parent.id)
        own = brief_snapshot(parent.id, above[-1].brief) if above else None
        for snapshot in child_access(catalogue(repository.events_of(connection, parent.id)), brief, own):
            repository.add_event(connection, child_id, ReferenceEvent("grant", at, snapshot), self._now())

    def _masked(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._mask(value)
        if isinstance(value, list | tuple):
            return [self._masked(item) for item in value]
        if isinstance(value, dict):
            return {key: self._masked(item) for key, item in value.items()}
        return value

    def _masked_result(self, result: Result) -> Result:
        return Result(
            self._masked(result.report), self._masked(result.validation), self._masked(result.review), result.verdict
        )

    def _now(self) -> str:
        return timestamp(self._store.clock.now())


def _held(connection: Connection, trace: TraceRecord) -> Held:
    return Held(
        trace,
        _anchor(connection, trace.root_id),
        repository.briefs_of(connection, trace.id),
        catalogue(repository.events_of(connection, trace.id)),
        repository.results_of(connection, trace.id),
    )


def _anchor(connection: Connection, root_id: str) -> Anchor | None:
    """The authoritative copy, read anew each time and checked against its digest."""
    found = repository.find_anchor(connection, root_id)
    if found is None:
        return None
    anchor, sha256 = found
    if anchor.sha256 != sha256:
        raise StoreError(
            "A root task's anchor is not what was kept.",
            code="store-damaged",
            hint="Restore the database from a backup.",
        )
    return anchor


def _require_approved(connection: Connection, parent_id: str, brief: Brief) -> None:
    approved = repository.approved_brief(connection, parent_id)
    if approved and approved != brief.sha256:
        raise ConflictError(
            "This is not the brief that was approved for what comes next.",
            code="brief-not-approved",
            hint="Hand down the approved brief unchanged, or have another one approved.",
            expected_fingerprint=approved,
            current_fingerprint=brief.sha256,
        )


def _no_anchor(trace: TraceRecord) -> ConflictError:
    return ConflictError(
        f"The root of trace {trace.id} has no anchor; it is older than recursive tasks and is not upgraded.",
        code="no-anchor",
        hint="Start a new root task with objective, completion criteria and constraints.",
    )
