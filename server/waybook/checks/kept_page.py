"""The file of kept findings as data: entries by document, and the facts about the tree that they rest on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from waybook.analysis.asking import Fact, digest_of, kept
from waybook.checks.chain import is_dormant
from waybook.checks.places import parent, scope_of_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from waybook.analysis.asking import Answers
    from waybook.analysis.view import Document, View

_FROM_NAMES = frozenset({"find", "matches"})
"""Facts that follow from the names of the whole tree alone."""


class PageError(ValueError):
    """A file that is not, or no longer, a page of ours."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document's kept findings and what they rest on.

    `sha256`: of its text; `chain`: see `chains`; `others`: by path, the digest of other texts that were asked for (None:
    there was none); `all_texts`: the digest of all of them, "" when not all were looked at; `facts`: numbers in `Page.facts`.
    """

    sha256: str
    chain: str
    others: Mapping[str, str | None]
    all_texts: str
    facts: list[int]
    findings: list[Any]

    def rests_on(self, document: Document, chain: str, view: View) -> bool:
        """Whether every text it rests on is still the same."""
        if self.sha256 != document.sha256 or self.chain != chain:
            return False
        for path, digest in self.others.items():
            other = view.documents.get(path)
            if digest != (None if other is None else other.sha256):
                return False
        return not self.all_texts or self.all_texts == Entry.everything(view)

    @staticmethod
    def everything(view: View) -> str:
        """A digest of every document's path and text."""
        return digest_of(f"{path} {document.sha256}" for path, document in view.documents.items())


@dataclass(slots=True)
class Page:
    """Everything one run keeps. `world` is None when the page does not hold all findings.

    `volatile`: the checks that ask agents, whose findings (`apart`) rest on what the agents looked at (`looked`).
    """

    world: str | None = None
    volatile: set[str] = field(default_factory=set)
    disk: list[Any] = field(default_factory=list)
    disk_facts: list[int] = field(default_factory=list)
    apart: list[Any] | None = None
    looked: dict[str, str] | None = None
    documents: dict[str, Entry] = field(default_factory=dict)
    facts: list[tuple[Fact, Any]] = field(default_factory=list)
    _numbers: dict[Fact, int] = field(default_factory=dict)

    def numbers(self, facts: Mapping[Fact, Any]) -> list[int]:
        """The numbers of some facts, each with the tree's answer."""
        return [self._number(fact, kept(answer)) for fact, answer in facts.items()]

    def _number(self, fact: Fact, answer: Any) -> int:
        number = self._numbers.get(fact)
        if number is None:
            number = self._numbers[fact] = len(self.facts)
            self.facts.append((fact, answer))
        return number

    def take_over(self, path: str, entry: Entry, before: Page) -> None:
        """Keep an entry of the page before, which was found to hold."""
        facts = [self._number(*before.facts[number]) for number in entry.facts]
        self.documents[path] = Entry(entry.sha256, entry.chain, entry.others, entry.all_texts, facts, entry.findings)

    def holds(self, number: int, answers: Answers) -> bool:
        """Whether the tree still answers a question as it did."""
        fact, answer = self.facts[number]
        return bool(answers.of(fact) == answer)

    def needed_in_same_world(self) -> Iterable[int]:
        """The facts that the names of the whole tree do not decide: links, and what no scan enters."""
        return (number for number, (fact, _) in enumerate(self.facts) if fact[0] not in _FROM_NAMES)

    def to_bytes(self, key: str) -> bytes:
        """The page as a file."""
        data = {
            "key": key,
            "world": self.world,
            "volatile": sorted(self.volatile),
            "disk": self.disk,
            "disk_facts": self.disk_facts,
            "apart": self.apart,
            "looked": self.looked,
            "facts": [[*fact, answer] for fact, answer in self.facts],
            "documents": {
                path: [item.sha256, item.chain, item.others, item.all_texts, item.facts, item.findings]
                for path, item in self.documents.items()
            },
        }
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
        return f"{sha256(text.encode()).hexdigest()}\n{text}\n".encode()

    @classmethod
    def from_bytes(cls, raw: bytes, key: str) -> Page:
        """The page of a file that `to_bytes` made under the same key, whole and undamaged; `PageError` otherwise."""
        seal, _, text = raw.partition(b"\n")
        if seal.decode("ascii", "replace") != sha256(text.removesuffix(b"\n")).hexdigest():
            raise PageError("damaged")
        data = json.loads(text)
        if data["key"] != key:
            raise PageError("of another version")
        facts: list[tuple[Fact, Any]] = [((kind, argument), answer) for kind, argument, answer in data["facts"]]
        documents = {path: Entry(*parts) for path, parts in data["documents"].items()}
        page = cls(data["world"], set(data["volatile"]), data["disk"], data["disk_facts"])
        page.apart, page.looked, page.documents, page.facts = data["apart"], data["looked"], documents, facts
        return page


def chains(view: View) -> dict[str, str]:
    """By directory that some document speaks for: a digest of what is read there and above it, and of what does not count.

    Covers all that `checks/chain.py` looks at: the texts, whether each is dormant, and in which order they stand; and, for
    the whole view, what is seldom there and seldom changes: links, names that differ by case, the pin.
    """
    links = (f"{path} {target}" for path, target in (*view.links.items(), *view.agent_links.items()))
    pin = [view.pinned.id, str(view.pinned.revision)] if view.pinned is not None else []
    base = digest_of([*links, "", *view.near_misses, "", *pin])
    by_scope: dict[str, list[str]] = {}
    for path, document in view.documents.items():
        line = f"{path} {document.sha256} {is_dormant(document, view)}"
        by_scope.setdefault(scope_of_file(path), []).append(line)
    digests: dict[str, str] = {}
    for scope in sorted(by_scope, key=lambda path: path.count("/") if path else -1):
        above = scope
        while above and above not in digests:
            above = parent(above)
        digests[scope] = digest_of([digests.get(above, base), *by_scope[scope]])
    return digests
