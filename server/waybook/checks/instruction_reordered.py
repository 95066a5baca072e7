"""The same instruction files apply in another order than was reviewed.

**What it finds.** A scope whose files are read in another order than in the pinned snapshot, for example because a rule
was renamed. Shown on the first line of the scope's first file, and only for the topmost scope concerned.

**Why it matters.** Where two rules disagree, the one that is read later prevails: another order is another outcome.

**Example.** Two rules below `.prayu/rules` swapped their places:

    AGENTS.md:1:1: warning: The instructions for the workspace root are read in another order than in the baseline.

**Not flagged.** Files added or removed without moving the others, scopes that merely inherit the new order.

**How to suppress.** A file cannot switch this off for itself: confirm the drift, or set the severity of
`instruction-reordered` in your settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.checks.fingerprint_stale import against
from waybook.checks.model import DiskCheck
from waybook.checks.places import first_line, is_within, named, nearest_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import View


def run(view: View) -> Iterator[Finding]:
    """One finding for each topmost scope whose order changed."""
    told: list[str] = []
    moved = [scope for scope, diff in view.drift.items() if diff.order_changed]
    for scope in sorted(moved, key=lambda scope: (scope.count("/") if scope else -1, scope)):
        path = nearest_file(view, scope)
        if path is None or any(is_within(scope, above) for above in told):
            continue
        told.append(scope)
        message = f"The instructions for {named(scope)} are read in another order than in {against(view)}."
        yield Finding(code=CHECK.code, path=path, span=first_line(view, path), message=message, data={"scope": scope})


CHECK = DiskCheck("instruction-reordered", "Instruction files in another order than reviewed", "warning", run)
