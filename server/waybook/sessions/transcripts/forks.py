"""Which messages of a fork are its parent's: by key where the agent copies keys, else the longest common beginning."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Node(NamedTuple):
    """As much of a message as tells whether two are the same; `said` is a digest of its text."""

    key: str
    kind: str
    said: bytes
    hidden: bool


_SPOKEN = frozenset({"prompt", "answer", "summary"})


def session_id(agent: str, native_id: str) -> str:
    """Waybook's id of an agent's session: the same on every machine and before and after an import."""
    return "ses_" + hashlib.sha256(f"{agent}\0{native_id}".encode("utf-8", "replace")).hexdigest()[:24]


def digest(text: str) -> bytes:
    """A short digest of a text."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).digest()


def copied(child: Sequence[Node], parent: Sequence[Node]) -> set[str]:
    """The keys of the child's messages that were copied from the parent."""
    known = {node.key for node in parent}
    shared = {node.key for node in child if node.key in known}
    if shared:
        return shared
    theirs = [node for node in parent if not node.hidden and node.kind in _SPOKEN]
    found: set[str] = set()
    between: list[str] = []
    place = 0
    for node in child:
        if node.kind not in _SPOKEN:
            between.append(node.key)  # copies may lack calls and thoughts: they go with the words that follow
            continue
        if place == len(theirs) or (node.kind, node.said) != (theirs[place].kind, theirs[place].said):
            break
        found.update(between, (node.key,))
        between.clear()
        place += 1
    return found
