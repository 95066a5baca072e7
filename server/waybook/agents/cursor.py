"""Cursor, by its documents: rules with front matter, and AGENTS.md from the root down to the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule, When
from waybook.agents.parts.documented import say_so
from waybook.agents.parts.frontmatter import parse
from waybook.agents.parts.globs import minimatch, split_commas
from waybook.agents.parts.settings import texts
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import down, inside, join, relative

if TYPE_CHECKING:
    from waybook.workspace.box import Box


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    say_so(trace, "Cursor's documents")
    touched = trace.touched if trace.touched and inside(trace.touched, trace.workspace) else None
    places = down(trace.workspace, touched or trace.cwd)
    for place in places:
        _rules(trace, place)
    for place in places:
        nested = place != trace.workspace
        path = join(place, "AGENTS.md")
        if trace.present(path):
            why = (
                "AGENTS.md of a directory of the file; the more specific one is preferred."
                if nested
                else "The root's AGENTS.md."
            )
            _add(trace, path, why, "lazy" if nested else "start")
    legacy = join(trace.workspace, ".cursorrules")
    if trace.present(legacy):
        _add(trace, legacy, "The older single file, read at the root only.", "start")
    claude = join(trace.workspace, "CLAUDE.md")
    if box.is_file(claude):
        trace.miss(claude, "wrong_name", "Only Cursor's command line is documented to read the root's CLAUDE.md.")
    return trace.loading()


def _add(trace: Trace, path: str, why: str, when: When) -> None:
    if trace.blank(path):
        trace.miss(path, "empty", "The file is blank.")
    else:
        trace.load(path, why, when)


def _rules(trace: Trace, place: str) -> None:
    for path in trace.box.walk(join(place, ".cursor/rules")):
        if not path.endswith(".mdc"):
            trace.miss(path, "wrong_name", "Only files that end in .mdc are rules.")
            continue
        front = parse(trace.text(path))
        globs = front.data.get("globs")
        patterns = split_commas(globs) if isinstance(globs, str) else texts(globs)
        if front.error:
            trace.miss(path, "excluded", f"Its front matter cannot be read: {front.error}.")
        elif front.data.get("alwaysApply") is True:
            trace.load(path, "A rule with `alwaysApply: true`.", "start" if place == trace.workspace else "lazy")
        elif patterns:
            _by_glob(trace, path, place, patterns)
        elif front.data.get("description"):
            trace.load(path, "Only its description is offered: the agent decides whether to read it.", "listed")
        else:
            trace.miss(path, "conditional", "Without `alwaysApply`, `globs` and `description` it loads only by @name.")


def _by_glob(trace: Trace, path: str, place: str, patterns: list[str]) -> None:
    target = trace.target
    seen = relative(target, place) if target and inside(target, place) else None
    matched = next((one for one in patterns if seen and minimatch(one, seen, base=True, dot=True)), None)
    if matched:
        trace.load(path, f"Its `globs` match the file: {matched}", "lazy")
    else:
        trace.miss(path, "conditional", f"Its `globs` do not match {seen or 'any file in the context'}.")


PROFILE = Profile(
    id="cursor",
    name="Cursor",
    version="documents of late 2026",
    confidence="documented",
    names=("AGENTS.md", ".cursorrules"),
    reach="it reads the workspace's root and the directories of the file; `.cursorrules` at the root only.",
    rules=(
        Rule("`.cursor/rules/**/*.mdc`: `alwaysApply: true` always, `globs` for matching files, a `description` is offered.", "documented"),
        Rule('A quoted `"true"` or broken front matter does not apply.', "reported"),
        Rule("`.cursor/rules` and `AGENTS.md` of a subdirectory count for files there, the more specific preferred.", "documented"),
        Rule("`.cursorrules` at the root is still read; the root's `CLAUDE.md` by the command line only.", "documented"),
    ),
    run=_load,
)  # fmt: skip
