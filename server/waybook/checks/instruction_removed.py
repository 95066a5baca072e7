"""An instruction file that was reviewed and no longer applies.

**What it finds.** A file of the pinned snapshot that is gone, was renamed, or is hidden or superseded now. As the file
itself may not exist, the finding sits on the nearest existing instruction file of its directory.

**Why it matters.** A rule that agents used to follow silently no longer holds.

**Example.** `api/CLAUDE.md` was deleted after `waybook pin`:

    api/AGENTS.md:1:1: warning: api/CLAUDE.md no longer applies; the baseline (revision 1) holds it.

**Not flagged.** A file that was never pinned, a workspace where no instruction file is left to show the finding on.

**How to suppress.** A file cannot switch this off for itself: confirm the drift, or set the severity of
`instruction-removed` in your settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.checks.drift_places import on_first_line, touched
from waybook.checks.fingerprint_stale import against
from waybook.checks.model import DiskCheck
from waybook.checks.places import nearest_file, scope_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.findings import Finding
    from waybook.analysis.view import View


def run(view: View) -> Iterator[Finding]:
    """One finding for each pinned file that no longer applies."""
    for path in touched(view, "removed"):
        near = path if path in view.documents else nearest_file(view, scope_of_file(path))
        if near is not None:
            message = f"{path} no longer applies; {against(view)} holds it. Review the drift and confirm."
            yield on_first_line(view, CHECK.code, near, message, subject=path)


CHECK = DiskCheck("instruction-removed", "Reviewed instruction file no longer applies", "warning", run)
