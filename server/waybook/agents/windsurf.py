"""Windsurf (now Devin Desktop), by its documents: AGENTS.md by directory, rules with a trigger, size limits."""

from __future__ import annotations

from posixpath import dirname
from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule, When
from waybook.agents.parts.documented import say_so
from waybook.agents.parts.frontmatter import parse
from waybook.agents.parts.globs import minimatch, split_commas
from waybook.agents.parts.settings import texts
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import down, git_root, inside, join, relative

if TYPE_CHECKING:
    from waybook.workspace.box import Box

_RULE_LIMIT, _GLOBAL_LIMIT = 12_000, 6_000
"""Characters of a workspace rule and of the global rules (documents); whether more is cut or refused is not said."""


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    say_so(trace, "the documents of Windsurf and Devin Desktop")
    for folder in ("/etc/devin/rules", "/etc/windsurf/rules"):
        for path in box.walk(folder):
            if path.endswith(".md"):
                _add(trace, path, "A rule of the machine.", "start", _RULE_LIMIT)
    user = join(trace.home, ".codeium/windsurf/memories/global_rules.md")
    if trace.present(user):
        _add(trace, user, "The user's global rules.", "start", _GLOBAL_LIMIT)
    top = git_root(box, trace.workspace) or trace.workspace
    touched = trace.touched if trace.touched and inside(trace.touched, trace.workspace) else None
    for place in down(top, touched or trace.cwd) or [trace.workspace]:
        _directory(trace, place, always=inside(trace.workspace, place))
    return trace.loading()


def _directory(trace: Trace, place: str, *, always: bool) -> None:
    for name in trace.box.spellings(place, "AGENTS.md"):
        path = join(place, name)
        if name in {"AGENTS.md", "agents.md"} and trace.present(path):
            why = "The root's, always." if always else "It counts for files of its directory."
            _add(trace, path, why, "start" if always else "lazy", None)
    if always and trace.present(legacy := join(place, ".windsurfrules")):
        _add(trace, legacy, "The older single file at the root.", "start", _RULE_LIMIT)
    preferred = [path for path in trace.box.walk(join(place, ".devin/rules")) if path.endswith(".md")]
    fallback = [path for path in trace.box.walk(join(place, ".windsurf/rules")) if path.endswith(".md")]
    for path in preferred or fallback:
        _rule(trace, path)
    for path in fallback if preferred else ():
        trace.miss(path, "shadowed", "Rules in .devin/rules are preferred.", dirname(preferred[0]))


def _rule(trace: Trace, path: str) -> None:
    data = parse(trace.text(path)).data
    trigger = data.get("trigger")
    if trigger == "always_on":
        _add(trace, path, "A rule that is always on.", "start", _RULE_LIMIT)
    elif trigger == "model_decision":
        trace.load(path, "Only its description is shown: the model decides.", "listed")
    elif trigger == "glob":
        globs = data.get("globs")
        patterns = split_commas(globs) if isinstance(globs, str) else texts(globs)
        seen = relative(trace.target, trace.workspace) if trace.target else None
        if seen and any(minimatch(one, seen, base=True, dot=True) for one in patterns):
            _add(trace, path, "Its `globs` match the file.", "lazy", _RULE_LIMIT)
        else:
            trace.miss(path, "conditional", f"Its `globs` do not match {seen or 'any file'}.")
    else:
        trace.miss(path, "conditional", "It loads only when it is mentioned (`trigger: manual`, or none).")


def _add(trace: Trace, path: str, why: str, when: When, limit: int | None) -> None:
    if trace.blank(path):
        trace.miss(path, "empty", "The file is blank.")
    elif trace.loaded(path) is None:
        over = limit is not None and len(trace.text(path)) > limit
        tail = f" It is longer than {limit:,} characters: cut or refused, the documents do not say." if over else ""
        trace.load(path, why + tail, when, complete=not over)


PROFILE = Profile(
    id="windsurf",
    name="Windsurf",
    version="documents of late 2026",
    confidence="documented",
    names=("AGENTS.md", "agents.md", ".windsurfrules"),
    reach="it reads from the git root to the directories of the file.",
    rules=(
        Rule("`AGENTS.md` or `agents.md` in any directory: the root's always, others for files below them.", "documented"),
        Rule("`.devin/rules/*.md`, else `.windsurf/rules/*.md`; `trigger` decides; `.windsurfrules` at the root.", "documented"),
        Rule("12,000 characters for each workspace rule, 6,000 for the global rules.", "documented"),
    ),
    run=_load,
)  # fmt: skip
