"""A view that notes what was asked of it, so that an answer can be kept together with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

from waybook.analysis.view import Document, Tree, View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from waybook.analysis.loading import AgentLoadings

Fact = tuple[str, str]
"""A question to the workspace's tree: `exists`, `is_dir`, `names`, `find` or `matches`, and its argument."""


@dataclass(slots=True)
class Notes:
    """What was asked since the notes were begun.

    `facts`: answers of the tree; `texts`: by path, the digest of a document's text (None: there is none);
    `everything`: all documents were looked at; `outside`: something was asked that these notes cannot vouch for.
    """

    facts: dict[Fact, Any] = field(default_factory=dict)
    texts: dict[str, str | None] = field(default_factory=dict)
    everything: bool = False
    outside: bool = False


class Asking:
    """Hands out one noting view over a view; `begin` starts a new page of notes."""

    def __init__(self, view: View) -> None:
        self.notes = Notes()
        self._tree = view.tree
        self.view = replace(
            view,
            documents=_Documents(view.documents, self),
            tree=_Tree(view.tree, self),
            agents=cast("AgentLoadings", _Outside(view.agents, self)),
        )

    def begin(self) -> Notes:
        """A new page, which is written from now on. The tree is a new object: what was derived from it is asked anew."""
        self.notes = Notes()
        object.__setattr__(self.view, "tree", _Tree(self._tree, self))
        return self.notes


class _Documents(dict[str, Document]):
    """The documents of a view."""

    def __init__(self, documents: Mapping[str, Document], asking: Asking) -> None:
        super().__init__(documents)
        self._asking = asking

    def __getitem__(self, path: str) -> Document:
        self._note(path)
        return super().__getitem__(path)

    def __contains__(self, path: object) -> bool:
        self._note(cast("str", path))
        return super().__contains__(path)

    def get(self, path: str, default: Any = None) -> Any:
        self._note(path)
        return super().get(path, default)

    def __iter__(self) -> Iterator[str]:
        self._asking.notes.everything = True
        return super().__iter__()

    def keys(self) -> Any:
        self._asking.notes.everything = True
        return super().keys()

    def values(self) -> Any:
        self._asking.notes.everything = True
        return super().values()

    def items(self) -> Any:
        self._asking.notes.everything = True
        return super().items()

    def _note(self, path: str) -> None:
        found = super().get(path)
        self._asking.notes.texts[path] = None if found is None else found.sha256


class _Tree:
    """The tree of a view; implements `Tree`."""

    def __init__(self, tree: Tree, asking: Asking) -> None:
        self._tree = tree
        self._asking = asking
        self.original = tree

    def exists(self, path: str) -> bool:
        answer = self._asking.notes.facts["exists", path] = self._tree.exists(path)
        return answer

    def is_dir(self, path: str) -> bool:
        answer = self._asking.notes.facts["is_dir", path] = self._tree.is_dir(path)
        return answer

    def names(self, directory: str) -> tuple[str, ...]:
        answer = self._tree.names(directory)
        self._asking.notes.facts["names", directory] = answer
        return answer

    def find(self, name: str) -> tuple[str, ...]:
        answer = self._asking.notes.facts["find", name] = self._tree.find(name)
        return answer

    def matches(self, pattern: str) -> bool:
        answer = self._asking.notes.facts["matches", pattern] = self._tree.matches(pattern)
        return answer


class _Outside:
    """Something that looks at files nobody notes: any use of it makes an answer one that cannot be kept."""

    def __init__(self, inner: object, asking: Asking) -> None:
        self._inner = inner
        self._asking = asking

    def __getattr__(self, name: str) -> Any:
        self._asking.notes.outside = True
        return getattr(self._inner, name)


class Answers:
    """The tree's answers of now, in the form they are kept in, each asked once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[Fact, Any] = {}

    def of(self, fact: Fact) -> Any:
        """True or false, or a short digest of a list of names."""
        if fact not in self._known:
            self._known[fact] = kept(getattr(self._tree, fact[0])(fact[1]))
        return self._known[fact]


def kept(answer: Any) -> Any:
    """An answer as it is kept: lists of names as a digest."""
    return answer if isinstance(answer, bool) else digest_of(answer)


def digest_of(words: Iterable[str]) -> str:
    """A short digest of some words in order."""
    return sha256("\0".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:32]
