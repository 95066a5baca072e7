"""Roo Code, by its source: mode rules, agent files, then generic rules or their older single files."""

from __future__ import annotations

from posixpath import basename
from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule
from waybook.agents.parts.documented import say_so
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import join

if TYPE_CHECKING:
    from waybook.workspace.box import Box


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    say_so(trace, "Roo Code's source")
    mode = str(request.settings.get("mode") or "code")
    trace.note(f"The answer is for the mode {mode!r}.")
    _rules(trace, f"rules-{mode}", (f".roorules-{mode}", f".clinerules-{mode}"), f"A rule of the mode {mode!r}.")
    _agent_files(trace)
    _rules(trace, "rules", (".roorules", ".clinerules"), "A generic rule.")
    return trace.loading()


def _rules(trace: Trace, folder: str, older: tuple[str, ...], why: str) -> None:
    """The rule folders of the home and the project; only without any text there the first older file with text."""
    used = None
    for place in (join(trace.home, f".roo/{folder}"), join(trace.cwd, f".roo/{folder}")):
        for path in sorted(trace.box.walk(place), key=lambda path: basename(path).lower()):
            if trace.blank(path):
                trace.miss(path, "empty", "The file is blank.")
            elif trace.loaded(path) is None:
                trace.load(path, why)
                used = place
    for name in older:
        path = join(trace.cwd, name)
        if not trace.box.is_file(path):
            continue
        if used:
            trace.miss(path, "shadowed", f"{trace.show(used)} has rules, so the older file is not used.", used)
        elif trace.blank(path):
            trace.miss(path, "empty", "The file is blank.")
        else:
            trace.load(path, f"{why} The older single file.")
            used = path


def _agent_files(trace: Trace) -> None:
    taken = None
    for name in ("AGENTS.md", "AGENT.md"):
        path = join(trace.cwd, name)
        if not trace.present(path):
            continue
        if taken:
            trace.miss(path, "shadowed", f"{trace.show(taken)} is used instead.", taken)
        elif trace.blank(path):
            trace.miss(path, "empty", "The file is blank.")
        else:
            taken = path
            trace.load(path, "The agent file of the working directory.")
    local = join(trace.cwd, "AGENTS.local.md")
    if trace.present(local) and not trace.blank(local):
        trace.load(local, "The private agent file.")


PROFILE = Profile(
    id="roo-code",
    name="Roo Code",
    version="source of 2026",
    confidence="source",
    names=("AGENTS.md", "AGENT.md", "AGENTS.local.md", ".roorules", ".clinerules"),
    reach="it reads the working directory and the home only, unless subfolder rules are switched on.",
    rules=(
        Rule(
            "Mode rules first: `.roo/rules-<mode>/` of the home and the project, else the older single files.", "source"
        ),
        Rule("`AGENTS.md`, else `AGENT.md`, and always `AGENTS.local.md`; the working directory only.", "source"),
        Rule(
            "Generic `.roo/rules/`, sorted by lower-cased name; only without them `.roorules`, else `.clinerules`.",
            "source",
        ),
    ),
    run=_load,
)
