"""An instruction file that was not there when the instructions were reviewed.

**What it finds.** A file that applies now and is not part of the pinned snapshot, shown on its first line, once,
however many directories it applies to.

**Why it matters.** A new file is read by every agent that works below it, though nobody confirmed it yet.

**Example.** `db/CLAUDE.md` appeared after `waybook pin`:

    db/CLAUDE.md:1:1: warning: db/CLAUDE.md is not part of the baseline (revision 1). Review it and confirm.

**Not flagged.** Files hidden by `.prayu/instructions.ignore`, files that no profile loads, a workspace without a pin.

**How to suppress.** A file cannot switch this off for itself: confirm the drift, or set the severity of
`instruction-added` in your settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.checks.drift_places import on_first_line, touched
from waybook.checks.fingerprint_stale import against
from waybook.checks.model import DiskCheck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.findings import Finding
    from waybook.analysis.view import View


def run(view: View) -> Iterator[Finding]:
    """One finding on each file that the pin does not know."""
    for path in touched(view, "added"):
        message = f"{path} is not part of {against(view)}. Review it and confirm."
        yield on_first_line(view, CHECK.code, path, message)


CHECK = DiskCheck("instruction-added", "Instruction file added since the review", "warning", run)
