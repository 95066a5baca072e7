"""Findings of the run before, given again only where everything they rest on is still the same.

Two levels. Where the whole world is the same (every name, every instruction file's bytes: `analysis/world.py`), all findings
are. Otherwise a document's text findings are kept with what they rest on: its text, the documents read before it, and every
other document and every fact about the tree that its checks asked for. Nothing is trusted for its time stamp. A check that
asks the agents is noticed; its findings rest on all that the agents looked at, in the user's home too. No text is kept in which the secret scanner finds anything.
"""

from __future__ import annotations

from itertools import chain as joined
from typing import TYPE_CHECKING, Any

from waybook.analysis.asking import Answers, Asking
from waybook.analysis.finding_json import decode, encode, texts
from waybook.checks.chain import predecessors
from waybook.checks.kept_page import Entry, Page, PageError, chains
from waybook.checks.model import DiskCheck, TextCheck
from waybook.checks.places import scope_of_file
from waybook.checks.run import Selection, chosen, disk_findings, text_findings
from waybook.workspace.private_file import read_private, write_private

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from waybook.analysis.findings import Finding
    from waybook.analysis.view import Document, View
    from waybook.base.cancel import Progress
    from waybook.checks.model import Check

_ALL = Selection()


class KeptFindings:
    """The findings of one workspace in one file. `key` names all else that they depend on: the program, the settings."""

    def __init__(self, path: str, key: str, checks: Sequence[Check]) -> None:
        self._path = path
        self._key = key
        self._checks = checks

    def findings(self, view: View, progress: Progress, selection: Selection = _ALL) -> list[Finding]:
        """The findings of a view that a selection wants; what was worked out anew is kept for the next run."""
        before = self._load()
        always = [check for check in self._checks if check.code in before.volatile and selection.wants(check.code)]
        run = _Run(view, before, self._checks, always)
        found = run.same_world()
        if found is None:
            found = run.anew(progress)
        if run.after is not None:
            write_private(self._path, run.after.to_bytes(self._key))
        return chosen(found, selection)

    def _load(self) -> Page:
        """What was kept; an empty page when there is nothing that can be used."""
        raw = read_private(self._path)
        try:
            return Page.from_bytes(raw, self._key) if raw else Page()
        except PageError:
            return Page()


class _Run:
    """One look at a view with the page of the run before; `after` is the page to keep, None to leave the file alone."""

    def __init__(self, view: View, before: Page, checks: Sequence[Check], always: Sequence[Check]) -> None:
        self.after: Page | None = None
        self._view = view
        self._before = before
        self._answers = Answers(view.tree)
        self._always = always
        self._checks = [check for check in checks if check.code not in before.volatile]
        self._failed = False

    def same_world(self) -> list[Finding] | None:
        """All findings when nothing at all has changed; None when they have to be looked for."""
        before, view = self._before, self._view
        if before.world is None or before.world != view.world or before.documents.keys() != set(view.documents):
            return None
        if not all(before.holds(number, self._answers) for number in before.needed_in_same_world()):
            return None
        kept = joined(before.disk, *(entry.findings for entry in before.documents.values()))
        found = self._decoded(kept)
        if found is None:
            return None
        apart = self._apart()
        if apart is None:
            apart = self._volatile()
            self._keep_apart(apart, before)
        return found + apart

    def _apart(self) -> list[Finding] | None:
        """The kept findings of the checks that ask agents; None when what the agents looked at is not the same."""
        before = self._before
        if not self._always:
            return []
        if before.apart is None or before.looked is None or not self._view.agents.looks_as(before.looked):
            return None
        try:
            return [decode(item) for item in before.apart]
        except (TypeError, ValueError, KeyError, IndexError):
            return None

    def _keep_apart(self, found: Iterable[Finding], after: Page) -> None:
        """Keep the findings of all the checks that ask agents, if all were asked."""
        if self._failed or len(self._always) != len(self._before.volatile):
            return
        after.apart = _storable(item for item in found if item.code in after.volatile)
        after.looked = self._view.agents.looked()
        self.after = after

    def anew(self, progress: Progress) -> list[Finding]:
        """All findings: of documents where everything is the same as kept, of the others by running the checks."""
        view = self._view
        after = Page(world=view.world, volatile=set(self._before.volatile))
        asking = Asking(view)
        found = self._disk(asking, after)
        chain_of = chains(view)
        for document in view.documents.values():
            predecessors(document, asking.view)  # builds what all documents share, before notes are taken
            break
        for done, document in enumerate(view.documents.values()):
            if done % 64 == 0:
                progress.step("checking instruction files", done, len(view.documents))
            chain = chain_of[scope_of_file(document.path)]
            again = self._again(document, chain, after)
            found += self._examined(document, chain, asking, after) if again is None else again
        found += self._volatile()
        if not self._failed:
            self.after = after
            self._keep_apart(found, after)
        return found

    def _again(self, document: Document, chain: str, after: Page) -> list[Finding] | None:
        entry = self._before.documents.get(document.path)
        if entry is None or not entry.rests_on(document, chain, self._view):
            return None
        if not all(self._before.holds(number, self._answers) for number in entry.facts):
            return None
        found = self._decoded(entry.findings)
        if found is not None:
            after.take_over(document.path, entry, self._before)
        return found

    def _disk(self, asking: Asking, after: Page) -> list[Finding]:
        found: list[Finding] = []
        notes = asking.begin()
        for check in self._checks:
            if isinstance(check, DiskCheck):
                notes.outside = False
                found += disk_findings(asking.view, (check,), _ALL, self._crashed)
                if notes.outside:
                    after.volatile.add(check.code)
        stored = _storable(item for item in found if item.code not in after.volatile)
        if stored is None or self._view.pinned is not None:
            after.world = None
        else:
            after.disk = stored
            after.disk_facts = after.numbers(notes.facts)
        return found

    def _examined(self, document: Document, chain: str, asking: Asking, after: Page) -> list[Finding]:
        """Run the text checks on a document, and keep what they found with what they asked."""
        notes = asking.begin()
        found: list[Finding] = []
        for check in self._checks:
            if isinstance(check, TextCheck):
                notes.outside = False
                found += text_findings(document, asking.view, (check,), _ALL, self._crashed)
                if notes.outside:
                    after.volatile.add(check.code)
        stored = _storable(item for item in found if item.code not in after.volatile)
        if stored is None:
            after.world = None
        else:
            others = {path: sha256 for path, sha256 in notes.texts.items() if path != document.path}
            everything = Entry.everything(self._view) if notes.everything else ""
            after.documents[document.path] = Entry(
                document.sha256, chain, others, everything, after.numbers(notes.facts), stored
            )
        return found

    def _volatile(self) -> list[Finding]:
        """The findings of checks that look at more than is noted."""
        found = disk_findings(self._view, self._always, _ALL)
        of_text = [check for check in self._always if isinstance(check, TextCheck)]
        for document in self._view.documents.values() if of_text else ():
            found += text_findings(document, self._view, of_text, _ALL)
        return found

    def _decoded(self, stored: Iterable[Any]) -> list[Finding] | None:
        try:
            found = [decode(item) for item in stored]
        except (TypeError, ValueError, KeyError, IndexError):
            return None  # the file was damaged in a way that is still JSON
        return [item for item in found if item.code not in self._before.volatile]

    def _crashed(self, _code: str, _error: Exception) -> None:
        self._failed = True


def _storable(found: Iterable[Finding]) -> list[Any] | None:
    """Findings as they are kept; None when one of their texts holds a secret."""
    stored = [encode(item) for item in found]
    if stored:
        from waybook.secrets import find

        if find("\n".join(texts(stored))):
            return None
    return stored
