"""An instruction file whose text, scope or place in the order changed since the instructions were reviewed.

**What it finds.** A file whose content (after normalising line ends and redacting secrets), kind, scope or precedence
differs from the pinned snapshot, shown on its first line, once, however many directories it applies to.

**Why it matters.** The text that an agent reads is not the text that somebody confirmed.

**Example.** `AGENTS.md` was edited after `waybook pin`:

    AGENTS.md:1:1: warning: AGENTS.md changed since the baseline (revision 1). Review the difference and confirm.

**Not flagged.** Unsaved edits, line ends and blank lines at the end of the file, a workspace without a pin.

**How to suppress.** A file cannot switch this off for itself: confirm the drift, or set the severity of
`instruction-changed` in your settings.
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
    """One finding on each file that differs from the pin."""
    for path in touched(view, "changed"):
        message = f"{path} changed since {against(view)}. Review the difference and confirm."
        yield on_first_line(view, CHECK.code, path, message)


CHECK = DiskCheck("instruction-changed", "Instruction file changed since the review", "warning", run)
