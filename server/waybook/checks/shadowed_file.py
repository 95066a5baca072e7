"""An `AGENTS.md` that nobody reads, because an `AGENTS.override.md` beside it takes its place.

**What it finds.** A directory with both files, where the override has text and is not ignored. The whole superseded
file is marked as unnecessary, with a pointer to the file that wins.

**Why it matters.** Edits to the superseded file have no effect: who changes a rule there changes nothing.

**Example.** `api/AGENTS.md` beside a filled `api/AGENTS.override.md`:

    api/AGENTS.md:1:1: hint: api/AGENTS.md is not read: api/AGENTS.override.md takes its place.

With agents in use the finding says which of them read the override only, and which still read the superseded file.

**Not flagged.** A blank override (empty-override), an override that the ignore file hides, files of other directories.

**How to suppress.** `<!-- waybook: allow-file shadowed-file -->` in the superseded file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Related
from waybook.checks.agent_answers import by_agent, files, names, verb
from waybook.checks.model import DiskCheck
from waybook.checks.places import OVERRIDE, base_name, first_line, join, parent, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.loading import Verdict
    from waybook.analysis.view import View


def run(view: View) -> Iterator[Finding]:
    """One finding on each superseded `AGENTS.md`."""
    for scope, snapshot in view.snapshots.items():
        applied = {source.path for source in snapshot.sources if source.scope == scope}
        for winner in sorted(path for path in applied if base_name(path) == OVERRIDE):
            path = join(parent(winner), "AGENTS.md")
            document = view.documents.get(path)
            if document is None or path in applied:
                continue
            shadowed = [item for item in files(view).get(path, ()) if item.reason == "shadowed"]
            read = [item for item in files(view).get(path, ()) if item.arrives]
            yield Finding(
                code=CHECK.code,
                path=path,
                span=whole(document),
                message=_message(path, winner, shadowed, read),
                tags=() if read else ("unnecessary",),
                agents=by_agent((*shadowed, *read)),
                related=(Related(winner, first_line(view, winner), "This file is read instead."),),
            )


def _message(path: str, winner: str, shadowed: list[Verdict], read: list[Verdict]) -> str:
    if not read:
        return f"{path} is not read: {winner} takes its place."
    whom = f" for {names(shadowed)}" if shadowed else ""
    return f"{path} is not read by all: {winner} takes its place{whom}; {names(read)} {verb(read, 'reads', 'read')} it all the same."


CHECK = DiskCheck("shadowed-file", "File superseded by an override", "hint", run, suppressible=True)
