"""Where a missing file has probably gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.checks.places import base_name, join, parent

if TYPE_CHECKING:
    from waybook.analysis.view import View

_COMMON = frozenset(
    {"readme", "index", "main", "mod", "lib", "agents", "claude", "gemini", "skill", "changelog", "license", "package",
     "__init__", "__main__", "conftest", "setup", "config", "types", "utils", "makefile", "dockerfile", "cargo", "tsconfig"}
)  # fmt: skip


def moved_to(view: View, path: str) -> str | None:
    """The file that is probably meant: the same path in another case, else the one file of this base name anywhere.

    None where there are several, or the name is anybody's (`README.md`, `index.ts`).
    """
    name = base_name(path)
    folded = name.casefold()
    here = [other for other in view.tree.names(parent(path)) if other.casefold() == folded]
    if len(here) == 1:
        return join(parent(path), here[0])
    if name.partition(".")[0].casefold() in _COMMON or "." not in name:
        return None
    found = view.tree.find(name)
    return found[0] if len(found) == 1 else None
