"""Zed, by its documents: one file of the worktree's root, the first of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule
from waybook.agents.parts.documented import say_so
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import join

if TYPE_CHECKING:
    from waybook.workspace.box import Box

_NAMES = (
    ".rules", ".cursorrules", ".windsurfrules", ".clinerules", ".github/copilot-instructions.md",
    "AGENT.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md",
)  # fmt: skip


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    say_so(trace, "Zed's documents")
    personal = join(trace.home, ".config/zed/AGENTS.md")
    if trace.present(personal):
        trace.load(personal, "The user's own file comes first.")
    taken = None
    for name in _NAMES:
        path = join(trace.workspace, name)
        if not trace.present(path):
            continue
        if taken:
            trace.miss(path, "shadowed", f"{trace.show(taken)} comes earlier in Zed's list; one file counts.", taken)
        else:
            taken = path
            trace.load(path, "The first of Zed's list of names at the worktree's root.")
    return trace.loading()


PROFILE = Profile(
    id="zed",
    name="Zed",
    version="documents of late 2026",
    confidence="documented",
    names=_NAMES,
    reach="it reads one file at the worktree's root: nothing nested, nothing above.",
    rules=(
        Rule(f"One file at the root, the first of {', '.join(f'`{name}`' for name in _NAMES)}.", "documented"),
        Rule("`~/.config/zed/AGENTS.md` precedes it. No nesting, no ancestors, no imports.", "documented"),
    ),
    run=_load,
)
