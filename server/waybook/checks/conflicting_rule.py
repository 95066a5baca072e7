"""Two rules that cannot both be followed.

**What it finds.** Clear opposites only: one sentence demands exactly what another one forbids ("Use npm." and "Never use
npm."), or tabs against spaces. In one directory, or in one file, that is a warning. Where the nearer file contradicts one
above it, the nearer prevails, and the finding is only an information.

**Why it matters.** An agent that gets both follows either, and not the same one every time.

**Example.** `web/AGENTS.md` against the root:

    web/AGENTS.md:3:3: information: This contradicts AGENTS.md, line 8 ("Use tabs for indentation."); the nearer file prevails.

**Not flagged.** Sentences with a condition (if, unless, only, for, in ...), different subjects, rules of directories that
never apply together, questions of degree.

**How to suppress.** `<!-- waybook: allow conflicting-rule -->` above the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Related, Severity
from waybook.checks.chain import is_dormant, predecessors
from waybook.checks.model import TextCheck
from waybook.checks.places import scope_of_file
from waybook.checks.stances import Stance, forbidden, may_demand, may_indent, stances

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import Document, View


def run(document: Document, view: View) -> Iterator[Finding]:
    """A finding on each rule that an earlier one contradicts."""
    if is_dormant(document, view):
        return
    for earlier in (*predecessors(document, view), document):
        if may_conflict(document.text, earlier.text):
            yield from _conflicts(document, earlier)


def may_conflict(text: str, earlier: str) -> bool:
    """Whether what one text forbids stands in the other as well; asked before parsing."""
    tabs, spaces = may_indent(text)
    tabs_before, spaces_before = may_indent(earlier)
    if (tabs and spaces_before) or (spaces and tabs_before):
        return True
    return any(may_demand(earlier, subject) for subject in forbidden(text)) or any(
        may_demand(text, subject) for subject in forbidden(earlier)
    )


def _conflicts(document: Document, earlier: Document) -> Iterator[Finding]:
    known: dict[tuple[str, bool], Stance] = {}
    if earlier is not document:
        for stance in stances(earlier.text):
            known.setdefault((stance.about, stance.demands), stance)
    for stance in stances(document.text):
        other = known.get((stance.about, not stance.demands))
        if other is not None:
            yield _finding(document, earlier, stance, other)
        if earlier is document:
            known.setdefault((stance.about, stance.demands), stance)


def _finding(document: Document, earlier: Document, stance: Stance, other: Stance) -> Finding:
    same_level = scope_of_file(document.path) == scope_of_file(earlier.path)
    line = earlier.lines.line_of(other.sentence.span.start) + 1
    place = f"line {line}" if earlier is document else f"{earlier.path}, line {line}"
    severity: Severity = "warning" if same_level else "information"
    message = f'This contradicts {place} ("{other.sentence.text[:80]}")' + (
        "." if same_level else "; the nearer file prevails."
    )
    related = (Related(earlier.path, other.sentence.span, "The opposite stands here."),)
    return Finding(CHECK.code, document.path, stance.sentence.span, message, severity=severity, related=related)


CHECK = TextCheck("conflicting-rule", "Rules that contradict one another", "warning", run)
