"""Two agents get rules that contradict one another in the same directory.

**What it finds.** Clear opposites, as conflicting-rule finds them ("Use npm." and "Never use npm."; tabs against spaces), between
two files about one directory where an agent in use gets the first and an agent in use gets the second, be it another one or
the same. Files that every profile reads together are conflicting-rule's.

**Why it matters.** What one agent writes the other one undoes.

**Example.** `GEMINI.md` against `AGENTS.md`, with Codex and Gemini CLI in use:

    GEMINI.md:3:1: warning: Gemini CLI is told the opposite of what Codex reads in AGENTS.md, line 8 ("Use tabs for indentation.").

**Not flagged.** Anything while no agent is in use; sentences with a condition; rules for certain targets only; files that no agent
in use loads.

**How to suppress.** `<!-- waybook: allow conflicting-agents -->` above the line.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Related
from waybook.checks.agent_answers import by_agent, files, names, verb
from waybook.checks.conflicting_rule import may_conflict
from waybook.checks.model import DiskCheck
from waybook.checks.places import scope_of_file
from waybook.checks.stances import Stance, stances
from waybook.workspace.agent_files import agent_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.loading import Verdict
    from waybook.analysis.view import Document, View

_WHOLE = {"start", "lazy", "cut"}


def run(view: View) -> Iterator[Finding]:
    """A warning on each rule of a single agent's file that a file beside it contradicts."""
    by_scope: dict[str, list[tuple[Document, list[Verdict]]]] = {}
    for path, verdicts in files(view).items():
        agents = [verdict for verdict in verdicts if verdict.state in _WHOLE]
        if agents and not path.startswith(".prayu/"):
            by_scope.setdefault(scope_of_file(path), []).append((view.documents[path], agents))
    for group in by_scope.values():
        group.sort(key=lambda item: (agent_file(item[0].path) is not None, item[0].path))
        for (other, theirs), (document, ours) in combinations(group, 2):
            if agent_file(document.path) is not None and may_conflict(document.text, other.text):
                yield from _conflicts(document, ours, other, theirs)


def _conflicts(document: Document, ours: list[Verdict], other: Document, theirs: list[Verdict]) -> Iterator[Finding]:
    known: dict[tuple[str, bool], Stance] = {}
    for stance in stances(other.text):
        known.setdefault((stance.about, stance.demands), stance)
    both = [verdict for verdict in ours if verdict.agent.id in by_agent(theirs)]
    for stance in stances(document.text):
        opposite = known.get((stance.about, not stance.demands))
        if opposite is None:
            continue
        place = f'{other.path}, line {other.lines.line_of(opposite.sentence.span.start) + 1} ("{opposite.sentence.text[:80]}")'
        if both:
            message = f"{names(both)} {verb(both, 'gets', 'get')} this and the opposite in {place}."
        else:
            told, read = verb(ours, "is", "are"), verb(theirs, "reads", "read")
            message = f"{names(ours)} {told} told the opposite of what {names(theirs)} {read} in {place}."
        related = (Related(other.path, opposite.sentence.span, "The opposite stands here."),)
        agents = tuple(dict.fromkeys((*by_agent(ours), *by_agent(theirs))))
        yield Finding(CHECK.code, document.path, stance.sentence.span, message, related=related, agents=agents)


CHECK = DiskCheck("conflicting-agents", "Agents are told opposites", "warning", run, suppressible=True)
