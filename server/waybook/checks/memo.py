"""What several checks ask of one view, worked out once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.analysis.view import Document, Tree, View

T = TypeVar("T")


class PerView(Generic[T]):
    """A function of a view that remembers its last answer for each workspace, and forgets it with the workspace's tree.

    An answer counts only for the very documents it was made from, so that a tree shared by two revisions is no trap.
    `tree_free`: the answer never looks at the tree, so that views that note what each document's checks ask of the tree
    (`analysis/asking.py`) may share it; what it looks at has to be part of `kept_findings.chains` then.
    """

    def __init__(self, make: Callable[[View], T], *, tree_free: bool = False) -> None:
        self._make = make
        self._tree_free = tree_free
        self._made: WeakKeyDictionary[Tree, tuple[object, T]] = WeakKeyDictionary()

    def __call__(self, view: View) -> T:
        """The answer for this view."""
        tree = getattr(view.tree, "original", view.tree) if self._tree_free else view.tree
        known = self._made.get(tree)
        if known is None or known[0] is not view.documents:
            known = self._made[tree] = (view.documents, self._make(view))
        return known[1]


def text_of(view: View, path: str, current: Document) -> str | None:
    """The text at a path: the document being checked itself, another instruction file, or None where it is neither."""
    if path == current.path:
        return current.text
    document = view.documents.get(path)
    return document.text if document is not None else None
