"""Findings of the look before, given again only while everything they rest on is the same.

So a look at a big workspace after one small change costs that change. What a document's checks asked for is noted (`analysis/asking.py`): the documents read before it, other texts, facts about
the tree. All of it is asked again; nothing is trusted for its time stamp.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from waybook.analysis.asking import Answers, Asking, kept
from waybook.checks.chain import predecessors
from waybook.checks.kept_page import Entry, chains
from waybook.checks.model import TextCheck
from waybook.checks.places import scope_of_file
from waybook.checks.run import Selection, text_findings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from waybook.analysis.asking import Fact
    from waybook.analysis.findings import Finding
    from waybook.analysis.view import Document, View
    from waybook.checks.model import Check
    from waybook.lsp.examine import Failed


@dataclass(frozen=True, slots=True)
class Known:
    """What one document's checks found, and what that rests on."""

    sha256: str
    chain: str
    texts: Mapping[str, str | None]
    facts: Mapping[Fact, Any]
    everything: str
    findings: Sequence[Finding]


@dataclass(slots=True)
class Reuse:
    """The findings of one workspace's text checks, look after look. One look at a time."""

    selection: Selection = field(default_factory=Selection)
    volatile: set[str] = field(default_factory=set)
    known: dict[str, Known] = field(default_factory=dict)

    def look(
        self, view: View, checks: Sequence[Check], selection: Selection, failed: Failed
    ) -> Iterator[tuple[Document, list[Finding]]]:
        """Each document with its text checks' findings. Checks that look at more than is noted run every time.

        What was found is remembered as it comes, so that a look that is cancelled has not been for nothing.
        """
        if selection != self.selection:
            self.known, self.selection = {}, selection
        asking, answers, chain_of, everything = Asking(view), Answers(view.tree), chains(view), Entry.everything(view)
        for document in view.documents.values():
            predecessors(document, asking.view)  # makes what all documents share, before notes are taken
            break
        for path, document in view.documents.items():
            chain = chain_of[scope_of_file(path)]
            found = self.known.get(path)
            if found is None or not _holds(found, document, chain, everything, view, answers):
                found = self._anew(document, chain, everything, asking, checks, failed)
            always = [check for check in checks if check.code in self.volatile]
            more = text_findings(document, view, always, selection, failed) if always else []
            yield document, [*found.findings, *more]
        for gone in self.known.keys() - view.documents.keys():
            del self.known[gone]

    def _anew(
        self, document: Document, chain: str, everything: str, asking: Asking, checks: Sequence[Check], failed: Failed
    ) -> Known:
        notes = asking.begin()
        findings: list[Finding] = []
        crashed: list[str] = []

        def note(code: str, error: Exception | None) -> None:
            crashed.append(code)
            failed(code, error)

        for check in checks:
            if not isinstance(check, TextCheck) or check.code in self.volatile:
                continue
            notes.outside = False
            found = text_findings(document, asking.view, (check,), self.selection, note)
            if notes.outside:
                self.volatile.add(check.code)
            else:
                findings += found
        facts = {fact: kept(answer) for fact, answer in notes.facts.items()}
        found_now = Known(
            document.sha256, chain, dict(notes.texts), facts, everything if notes.everything else "", tuple(findings)
        )
        self.known.pop(document.path, None)
        if not crashed:
            self.known[document.path] = found_now
        return found_now


def _holds(found: Known, document: Document, chain: str, everything: str, view: View, answers: Answers) -> bool:
    """Whether all that findings rest on is as it was."""
    return (
        found.sha256 == document.sha256
        and found.chain == chain
        and found.everything in {"", everything}
        and all(_sha256(view, path) == sha256 for path, sha256 in found.texts.items())
        and all(answers.of(fact) == answer for fact, answer in found.facts.items())
    )


def _sha256(view: View, path: str) -> str | None:
    document = view.documents.get(path)
    return None if document is None else document.sha256
