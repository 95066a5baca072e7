"""What applies to a directory is no longer what was reviewed: its fingerprint differs from the pinned one.

**What it finds.** For each directory that holds an instruction file, the live fingerprint is compared with the pinned
one (the newest baseline of the workspace, or the pin of the run you selected). A difference is shown on the first line
of that directory's first instruction file. When everything that changed lies in a directory above, the finding is only
an information: the directory inherits the change.

**Why it matters.** Instructions steer what an agent does with your code. A change that nobody looked at, in a merge or
from another tool, should be seen before the next agent acts on it.

**Example.** `api/AGENTS.md` was edited after `waybook pin`:

    api/AGENTS.md:1:1: warning: The instructions for api differ from the baseline (revision 3): changed api/AGENTS.md.

**Not flagged.** Text that is not saved yet, files that agents do not load, a workspace that was never pinned.

**How to suppress.** A file cannot switch this off for itself: review the drift and confirm it (`waybook drift`,
`waybook confirm`), or set the severity of `fingerprint-stale` in your settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.checks.model import DiskCheck
from waybook.checks.places import first_line, listed, named, nearest_file, scope_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import View
    from waybook.instructions.model import SnapshotDiff


def run(view: View) -> Iterator[Finding]:
    """One finding for each scope whose fingerprint moved."""
    if view.pinned is None:
        return
    for scope, diff in view.drift.items():
        path = nearest_file(view, scope)
        if diff.from_fingerprint == diff.to_fingerprint or path is None or scope not in view.scopes:
            continue
        touched = (*diff.added, *diff.removed, *diff.changed)
        own = not touched or diff.order_changed or any(scope_of_file(item) == scope for item in touched)
        yield Finding(
            code=CHECK.code,
            path=path,
            span=first_line(view, path),
            message=f"The instructions for {named(scope)} differ from {against(view)}: {summary(diff)}.",
            severity="" if own else "information",
            data={"scope": scope, "pinned": diff.from_fingerprint, "live": diff.to_fingerprint},
        )


def against(view: View) -> str:
    """What the drift is measured against, in words."""
    if view.pinned is None:
        return "the pin"
    if view.pinned.against == "run":
        return f"the pin of run {view.pinned.id} (revision {view.pinned.revision})"
    return f"the baseline (revision {view.pinned.revision})"


def summary(diff: SnapshotDiff) -> str:
    """What a diff holds, in words."""
    kinds = (("added", diff.added), ("removed", diff.removed), ("changed", diff.changed))
    parts = [f"{word} {listed(paths)}" for word, paths in kinds if paths]
    if diff.order_changed:
        parts.append("another order")
    return "; ".join(parts) or "another list of ignored files or limits"


CHECK = DiskCheck("fingerprint-stale", "Instructions differ from what was reviewed", "warning", run)
