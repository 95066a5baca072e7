"""A blank `AGENTS.override.md`: it overrides nothing here, and mutes `AGENTS.md` elsewhere.

**What it finds.** An `AGENTS.override.md` that is empty or holds white space only.

**Why it matters.** Agents disagree about it. The `.prayu` profile falls back to `AGENTS.md`; Codex (0.171.0, measured)
gives the place away by existence, so that neither file is read.

**Example.** An empty file left behind after an experiment:

    AGENTS.override.md:1:1: warning: AGENTS.override.md is blank: AGENTS.md applies instead, and Codex reads neither.

**Not flagged.** An override with any visible text; other empty instruction files (they refuse the whole discovery, see
discovery-failed).

**How to suppress.** Set the severity of `empty-override` in your settings; a blank file can hold no comment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.checks.discovery_failed import fill_or_remove
from waybook.checks.model import TextCheck
from waybook.checks.places import OVERRIDE, START, base_name, join, parent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on a blank override."""
    if base_name(document.path) != OVERRIDE:
        return
    fixes = fill_or_remove(view, document.path)
    if fixes:
        plain = join(parent(document.path), "AGENTS.md")
        rest = f"{plain} applies instead, and Codex reads neither" if plain in view.documents else "nothing applies"
        yield Finding(CHECK.code, document.path, START, f"{document.path} is blank: {rest}.", fixes=fixes)


CHECK = TextCheck("empty-override", "Blank override", "warning", run)
