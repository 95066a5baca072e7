"""pi: one file a directory from the file system's root down to the working directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import down, join

if TYPE_CHECKING:
    from waybook.workspace.box import Box

_NAMES = ("AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD")


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    agent_home = request.env.get("PI_CODING_AGENT_DIR") or join(trace.home, ".pi/agent")
    for name, what in (
        ("SYSTEM.md", "replaces the system prompt"),
        ("APPEND_SYSTEM.md", "is added to the system prompt"),
    ):
        _system(trace, (join(trace.cwd, f".pi/{name}"), join(agent_home, name)), what)
    if {"--no-context-files", "-nc"} & set(request.args):
        trace.note("Started with --no-context-files: no AGENTS.md or CLAUDE.md loads.")
        for place in (agent_home, *down("/", trace.cwd)):
            _exclude(trace, place)
        return trace.loading()
    _slot(trace, agent_home, "The user's own file.")
    for place in down("/", trace.cwd):
        _slot(trace, place, "The one file of a directory from the file system's root to the working directory.")
    return trace.loading()


def _system(trace: Trace, paths: tuple[str, str], what: str) -> None:
    project, user = paths
    if trace.present(project):
        trace.load(project, f"The project's own text {what}.")
        if trace.box.is_file(user):
            trace.miss(user, "shadowed", f"The project's {trace.show(project)} is used instead.", project)
    elif trace.present(user):
        trace.load(user, f"The user's own text {what}.")


def _slot(trace: Trace, place: str, why: str) -> None:
    taken = None
    for name in _NAMES:
        path = join(place, name)
        if not trace.present(path):
            continue
        if taken:
            trace.miss(path, "shadowed", f"{trace.show(taken)} takes the one place of this directory.", taken)
            continue
        taken = path
        if trace.blank(path):
            trace.miss(path, "empty", "The file is blank, yet it keeps its directory's place.")
        elif not trace.has(path):
            trace.load(path, why)


def _exclude(trace: Trace, place: str) -> None:
    for name in _NAMES:
        if trace.box.is_file(join(place, name)):
            trace.miss(join(place, name), "excluded", "Started with --no-context-files.")


PROFILE = Profile(
    id="pi",
    name="pi",
    version="0.73.1",
    confidence="measured",
    names=_NAMES,
    reach="it reads from the file system's root down to the working directory; the touched file plays no part.",
    rules=(
        Rule("Every directory from `/` to the working directory, whatever git says.", "measured"),
        Rule("Per directory the first of `AGENTS.md`, `AGENTS.MD`, `CLAUDE.md`, `CLAUDE.MD`; a blank one keeps the place.", "measured"),
        Rule("The user's file comes first: the same names in `~/.pi/agent`.", "measured"),
        Rule("`.pi/SYSTEM.md` replaces and `.pi/APPEND_SYSTEM.md` extends the system prompt; the project's beat the user's.", "measured"),
        Rule("No imports, no limit seen at 300 kB, nothing on touch; links are followed.", "measured"),
    ),
    run=_load,
)  # fmt: skip
