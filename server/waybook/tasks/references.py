"""References: what a trace may read beyond its brief, and hand on, each time by naming it. Pure functions.

A trace reads from its own catalogue and from nowhere else. What one layer does not hand on ends there for all below.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from waybook.base.canonical import sha256_hex
from waybook.base.errors import NotFoundError, RefusedError
from waybook.tasks.limits import MAX_REFERENCES, REFERENCE_CHARACTERS, REFERENCES_CHARACTERS
from waybook.tasks.model import ContextRef, Grant, ReferenceEvent, ReferenceKind, Snapshot
from waybook.tasks.normal import normal_json, normal_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from waybook.tasks.model import Brief, Result


Catalogue = dict[ContextRef, Grant]


def catalogue(events: Iterable[ReferenceEvent]) -> Catalogue:
    """What a trace may read, from what was done to its references, in order."""
    held: Catalogue = {}
    for event in events:
        if event.action == "clear":
            held = {}
        elif event.action == "rewind":
            held = {ref: grant for ref, grant in held.items() if grant.granted_at <= event.at_sequence}
        elif event.snapshot is not None:
            held[event.snapshot.ref] = Grant(event.snapshot, event.at_sequence)
    return held


def _snapshot(kind: ReferenceKind, owner: str, body: str) -> Snapshot:
    """The id is opaque: nothing can be read by a trace's id."""
    name = "brief" if kind == "task_brief" else "result"
    return Snapshot(ContextRef(f"{name}-{sha256_hex(f'{kind} {owner}')[:16]}", sha256_hex(body)), kind, body)


def brief_snapshot(trace_id: str, brief: Brief) -> Snapshot:
    """A trace's brief, as its children may be given it."""
    return _snapshot("task_brief", trace_id, brief.text)


def result_snapshot(trace_id: str, result: Result) -> Snapshot | None:
    """A reviewed result, as others may be given it; None when it is too large to be one."""
    body = normal_text({name: normal_json(getattr(result, name), name) for name in ("report", "validation", "review")})
    return _snapshot("reviewed_task_result", trace_id, body) if len(body) <= REFERENCE_CHARACTERS else None


def room_for(held: Catalogue, snapshot: Snapshot) -> str:
    """Why a snapshot does not fit into a catalogue; "" when it does."""
    others = [grant.snapshot for ref, grant in held.items() if ref != snapshot.ref]
    if len(others) + 1 > MAX_REFERENCES:
        return f"a task holds at most {MAX_REFERENCES} references"
    if len(snapshot.body) > REFERENCE_CHARACTERS:
        return f"a reference has at most {REFERENCE_CHARACTERS:,} characters"
    if sum(len(other.body) for other in others) + len(snapshot.body) > REFERENCES_CHARACTERS:
        return f"all references of a task have at most {REFERENCES_CHARACTERS:,} characters"
    return ""


def child_access(parent: Catalogue, brief: Brief, own: Snapshot | None) -> tuple[Snapshot, ...]:
    """The copies that a child gets: its parent's brief (none below the root), then what its brief names.

    Raises `NotFoundError` for a reference that the parent does not hold in exactly this version, `RefusedError` when
    they are too many or too large.
    """
    given: list[Snapshot] = [own] if own else []
    for ref in brief.context_refs:
        grant = parent.get(ref)
        if grant is None and (own is None or ref != own.ref):
            raise NotFoundError(
                f"The task holds no reference {ref.ref_id} in version {ref.version[:12]}.",
                code="no-reference",
                hint="Hand on only what get_current_context lists, with its exact version.",
            )
        if grant is not None and grant.snapshot not in given:
            given.append(grant.snapshot)
    held: Catalogue = {}
    for snapshot in given:
        if reason := room_for(held, snapshot):
            raise RefusedError(f"The references do not fit: {reason}.", code="references-too-large")
        held[snapshot.ref] = Grant(snapshot, 0)
    return tuple(given)


def read(held: Catalogue, ref: ContextRef) -> str:
    """The text of a reference. Raises `NotFoundError` for one that is not held in exactly this version."""
    grant = held.get(ref)
    if grant is None:
        raise NotFoundError(
            "There is no such reference for this task.",
            code="no-reference",
            hint="get_current_context lists those there are, with their versions.",
        )
    return grant.snapshot.body


def listed(held: Catalogue) -> tuple[str, ...]:
    """One line a reference: what it is, its exact version, its size. Never its text."""
    return tuple(
        f"{ref.ref_id} {grant.snapshot.kind} version {ref.version}, {len(grant.snapshot.body):,} characters"
        for ref, grant in held.items()
    )


def used(held: Catalogue) -> str:
    """How much of the limits a catalogue takes."""
    characters = sum(len(grant.snapshot.body) for grant in held.values())
    return f"{len(held)} of {MAX_REFERENCES} references, {characters:,} of {REFERENCES_CHARACTERS:,} characters"


def reference_from(value: Mapping[str, Any] | str) -> ContextRef:
    """A reference as a model names it. Raises `NotFoundError` for anything else."""
    try:
        raw = json.loads(value) if isinstance(value, str) else value
        return ContextRef(str(raw["ref_id"]), str(raw["version"]))
    except (ValueError, KeyError, TypeError):
        raise NotFoundError("Name a reference by ref_id and version.", code="no-reference") from None
