"""`tasks.show`: the contracts of a tree of recursive tasks, and who may read what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.tasks.service import Held


@dataclass(frozen=True, slots=True)
class Params:
    """Any task of the tree."""

    trace: str = param("Trace id of a task.", positional=True)


@dataclass(frozen=True, slots=True)
class ShownReference:
    """A reference that a task may read and hand on: its exact version and size, never its text."""

    ref_id: str
    version: str
    kind: str
    characters: int
    granted_at: int


@dataclass(frozen=True, slots=True)
class ShownBrief:
    """One version of a task's brief."""

    version: int
    sha256: str
    created_by: str
    created_at: str
    objective: str
    reason: str
    completion_criteria: tuple[str, ...]
    expected_outputs: tuple[str, ...]
    parent_findings: tuple[str, ...]
    context: Any
    constraints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownResult:
    """A reviewed result: for which version of the brief, and how it was judged."""

    number: int
    brief_version: int
    verdict: str
    created_at: str


@dataclass(frozen=True, slots=True)
class ShownTask:
    """One task of the tree; briefs oldest first, the last is current."""

    trace_id: str
    parent_id: str
    depth: int
    briefs: tuple[ShownBrief, ...]
    references: tuple[ShownReference, ...]
    results: tuple[ShownResult, ...]


@dataclass(frozen=True, slots=True)
class ShownTree:
    """The root's anchor, the same for all of its tasks ("" for an older root without one), and the tasks."""

    root_id: str
    objective: str
    completion_criteria: tuple[str, ...]
    constraints: tuple[str, ...]
    anchor_sha256: str
    tasks: tuple[ShownTask, ...]
    capability_grant: bool = False


def run(services: Services, params: Params, _call: Call) -> ShownTree:
    """Raises `NotFoundError` for an unknown trace."""
    tree = services.tasks().tree(params.trace)
    anchor = tree[0].anchor
    return ShownTree(
        root_id=tree[0].trace.root_id,
        objective=anchor.objective if anchor else "",
        completion_criteria=anchor.completion_criteria if anchor else (),
        constraints=anchor.constraints if anchor else (),
        anchor_sha256=anchor.sha256 if anchor else "",
        tasks=tuple(map(_task, tree)),
    )


def _task(held: Held) -> ShownTask:
    return ShownTask(
        trace_id=held.trace.id,
        parent_id=held.trace.parent_id,
        depth=held.trace.depth,
        briefs=tuple(
            ShownBrief(
                version=one.version,
                sha256=one.brief.sha256,
                created_by=one.created_by,
                created_at=one.created_at,
                objective=one.brief.objective,
                reason=one.brief.reason,
                completion_criteria=one.brief.completion_criteria,
                expected_outputs=one.brief.expected_outputs,
                parent_findings=one.brief.parent_findings,
                context=one.brief.context,
                constraints=one.brief.constraints,
            )
            for one in held.briefs
        ),
        references=tuple(
            ShownReference(ref.ref_id, ref.version, grant.snapshot.kind, len(grant.snapshot.body), grant.granted_at)
            for ref, grant in held.references.items()
        ),
        results=tuple(ShownResult(*one) for one in held.results),
    )


COMMAND = Command(id="tasks.show", title="Show task contracts", params=Params, run=run)
