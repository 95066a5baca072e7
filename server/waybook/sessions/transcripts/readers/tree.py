"""Records that name the record before them: parents looked up through records without words, and going back noticed."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

LINKS = 4096
"""How many records without words are remembered for looking parents up; links are close to what they link."""
PROMPTS = 4096
"""How many prompts are remembered as what a later one may take the place of."""


class Tree:
    """One file's tree. Made from the state that an earlier one left."""

    def __init__(self, state: dict[str, Any]) -> None:
        self._links: OrderedDict[str, str] = OrderedDict(state.get("links", []))
        self._prompts: OrderedDict[str, str] = OrderedDict(state.get("prompts", []))

    def state(self) -> dict[str, Any]:
        """What a later tree needs, as JSON."""
        return {"links": list(self._links.items()), "prompts": list(self._prompts.items())}

    def resolve(self, key: str) -> str:
        """The message that a key stands for: itself, or the nearest one before a record without words."""
        return self._links.get(key, key)

    def link(self, key: str, parent: str) -> None:
        """Remember a record without words."""
        if key and key not in self._links:
            self._links[key] = self.resolve(parent)
            if len(self._links) > LINKS:
                self._links.popitem(last=False)

    def prompt(self, parent: str, key: str) -> str:
        """Tell of a prompt; answers the key of an earlier one under the same record, which the person went back behind."""
        if not parent:
            return ""
        earlier = self._prompts.get(parent, "")
        if earlier == key:
            return ""
        if earlier:
            # Prompts behind the one that was left hang on records that nobody can come back to.
            order = list(self._prompts)
            for gone in order[order.index(parent) :]:
                del self._prompts[gone]
        self._prompts[parent] = key
        if len(self._prompts) > PROMPTS:
            self._prompts.popitem(last=False)
        return earlier

    def forget_prompts(self) -> None:
        """After a compaction anything may hang on anything before: never read that as going back."""
        self._prompts.clear()
