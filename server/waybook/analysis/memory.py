"""What the files and scopes of a workspace said last time, valid as long as no file concerned looks different."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from waybook.instructions.model import Discovery, Snapshot
from waybook.instructions.protocol import IGNORE_FILE
from waybook.workspace.marks import Mark, file_marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from waybook.analysis.view import Document
    from waybook.workspace.walk import Scan

Chain = tuple[tuple[str, Mark], ...]


@dataclass(frozen=True, slots=True)
class Look:
    """How everything looked in one scan: by path its mark, by scope the marks of every file on its chain."""

    files: Mapping[str, Mark]
    chains: Mapping[str, Chain]


@dataclass(slots=True)
class ScopeMemory:
    """Snapshots by scope and documents by path, with the look they were made under.

    A refusal is never remembered: it must clear as soon as its cause is gone. A file so young that a second change
    could hide behind the same time stamp is not trusted, nor is any scope it belongs to (see `workspace/marks.py`).
    """

    _snapshots: dict[str, tuple[Chain, Snapshot]] = field(default_factory=dict)
    _documents: dict[str, tuple[Mark, Document]] = field(default_factory=dict)

    def look(self, root: str, scan: Scan, others: Iterable[str] = ()) -> Look:
        """How the files of a scan, and others beside the scopes, look now. Taken before they are read, so that a change in between shows next time."""
        files = file_marks(root, [IGNORE_FILE, *(path for item in scan.scopes for path in item.candidates), *others])
        chains: dict[str, Chain] = {}
        for item in sorted(scan.scopes, key=lambda found: found.scope):
            own = tuple((path, files[path]) for path in item.candidates)
            chains[item.scope] = (*_above(item.scope, chains, files[IGNORE_FILE]), *own)
        return Look(files, {scope: chain for scope, chain in chains.items() if all(mark.settled for _, mark in chain)})

    def recall(self, scope: str, look: Look) -> Snapshot | None:
        """The scope's snapshot if every file on its chain still looks the same."""
        known = self._snapshots.get(scope)
        return known[1] if known is not None and known[0] == look.chains.get(scope) else None

    def remember(self, answers: Mapping[str, Discovery], look: Look) -> None:
        """Keep the snapshots of trusted scopes, forget the others of this scan."""
        for scope, answer in answers.items():
            if isinstance(answer, Snapshot) and scope in look.chains:
                self._snapshots[scope] = (look.chains[scope], answer)
            else:
                self._snapshots.pop(scope, None)

    def document(self, path: str, look: Look) -> Document | None:
        """The document of a file that still looks the same."""
        known = self._documents.get(path)
        return known[1] if known is not None and known[0] == look.files[path] and known[0].settled else None

    def keep(self, document: Document, look: Look) -> Document:
        """Remember a document; the one known already if its text is the same, so that what was derived from it stays."""
        known = self._documents.get(document.path)
        if known is not None and known[1].text == document.text:
            document = known[1]
        self._documents[document.path] = (look.files[document.path], document)
        return document


def _above(scope: str, chains: Mapping[str, Chain], ignore: Mark) -> Chain:
    """The chain of the nearest scope above, which begins with the ignore file."""
    while scope:
        scope = scope.rpartition("/")[0]
        if scope in chains:
            return chains[scope]
    return ((IGNORE_FILE, ignore),)
