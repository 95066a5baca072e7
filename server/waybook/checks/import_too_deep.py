"""A chain of `@` imports that is longer than agents follow.

**What it finds.** An import from which a further file is reached only by a fifth import in a row.

**Why it matters.** Claude Code follows four imports from the first file (2.1.332, measured) and passes over the fifth
without a word; other agents have limits of their own.

**Example.** `CLAUDE.md` imports `a.md`, which imports `b.md`, and so on up to `e.md`:

    CLAUDE.md:1:1: warning: e.md is five imports away (a.md -> b.md -> c.md -> d.md -> e.md); agents follow four.

**Not flagged.** A file that is also reached by a shorter way, cycles, files whose text is not an instruction file's.

**How to suppress.** `<!-- waybook: allow import-too-deep -->` above the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.analysis.markdown_imports import MAX_HOPS
from waybook.checks.import_graph import may_lead_to, too_far
from waybook.checks.model import TextCheck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on each import that begins too long a chain."""
    if MAX_HOPS + 1 not in may_lead_to(document, view, MAX_HOPS + 1).values():
        return
    for item, way in too_far(document, view, MAX_HOPS):
        chain = " -> ".join(way)
        message = f"{way[-1]} is {len(way)} imports away ({chain}); agents follow {MAX_HOPS}."
        yield Finding(CHECK.code, document.path, item.span, message, data={"chain": list(way)})


CHECK = TextCheck("import-too-deep", "Chain of imports too long", "warning", run)
