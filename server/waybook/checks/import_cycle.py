"""An `@` import that leads back to the file it stands in.

**What it finds.** A file that imports itself, directly or by way of other instruction files.

**Why it matters.** Agents break the cycle wherever they meet it, so the order in which the texts arrive, and which one is
left out, depends on where the agent began to read.

**Example.** `AGENTS.md` says `@CLAUDE.md`, and `CLAUDE.md` says `@AGENTS.md`:

    AGENTS.md:2:1: warning: This import leads back to AGENTS.md: AGENTS.md -> CLAUDE.md -> AGENTS.md.

**Not flagged.** Two files that import the same third one, names of files without an `@`, code.

**How to suppress.** `<!-- waybook: allow import-cycle -->` above the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.checks.import_graph import edges, may_lead_to, way_back
from waybook.checks.model import TextCheck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on each import that is part of a cycle."""
    if document.path not in may_lead_to(document, view, len(view.documents) + 1):
        return
    for item, target in edges(document, view, document.path):
        way = way_back(document, view, target)
        if way is not None:
            shown = " -> ".join((document.path, *way))
            message = f"This import leads back to {document.path}: {shown}."
            yield Finding(CHECK.code, document.path, item.span, message, data={"cycle": [document.path, *way]})


CHECK = TextCheck("import-cycle", "Import leads back to its own file", "warning", run)
