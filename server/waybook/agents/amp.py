"""Amp, by its manual: AGENTS.md from the home down to the working directory, more on reading, files by mention."""

from __future__ import annotations

import re
from posixpath import dirname
from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule, When
from waybook.agents.parts.documented import say_so
from waybook.agents.parts.find import glob
from waybook.agents.parts.frontmatter import parse
from waybook.agents.parts.globs import minimatch, split_commas
from waybook.agents.parts.markdown import masked
from waybook.agents.parts.settings import texts
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import down, inside, join, relative, resolve

if TYPE_CHECKING:
    from waybook.workspace.box import Box

_NAMES = ("AGENTS.md", "AGENT.md", "CLAUDE.md")
_MENTION = re.compile(r"(?:^|(?<=\s))@([^\s\x00]+)", re.MULTILINE)
_HOPS = 8
"""Mentions in a row that are followed; the manual gives no bound."""


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    say_so(trace, "Amp's manual")
    for path in (
        "/etc/ampcode/AGENTS.md",
        join(trace.home, ".config/amp/AGENTS.md"),
        join(trace.home, ".config/AGENTS.md"),
    ):
        if trace.present(path):
            _add(trace, path, "The machine's or the user's own file.", "start")
    top = trace.home if inside(trace.cwd, trace.home) else trace.workspace
    if top != trace.home:
        trace.note(
            "The working directory is not in the home: the manual does not say how far up Amp looks; the workspace is assumed."
        )
    for place in down(top, trace.cwd) or [trace.cwd]:
        _slot(trace, place, "start", "A directory from the home down to the working directory.")
    if trace.touched and inside(trace.touched, trace.cwd):
        for place in down(trace.cwd, trace.touched)[1:]:
            _slot(trace, place, "lazy", "A directory between the working one and the file that is read.")
    return trace.loading()


def _slot(trace: Trace, place: str, when: When, why: str) -> None:
    taken = None
    for name in _NAMES:
        path = join(place, name)
        if not trace.present(path):
            continue
        if taken:
            trace.miss(path, "shadowed", f"{trace.show(taken)} takes the one place of this directory.", taken)
        else:
            taken = path
            _add(trace, path, why, when)


def _add(trace: Trace, path: str, why: str, when: When) -> None:
    if trace.has(path):
        return
    if trace.blank(path):
        trace.miss(path, "empty", "The file is blank.")
    elif trace.once(path):
        trace.load(path, why, when)
        _mentions(trace, path, when, _HOPS)


def _mentions(trace: Trace, path: str, when: When, hops: int) -> None:
    text = trace.text(path)
    if "@" not in text or not hops:
        return
    for match in _MENTION.finditer(masked(text, "fence", "tilde", "span")):
        target = resolve(dirname(path), match[1], trace.home)
        for found in glob(trace.box, "/", target.removeprefix("/")):
            if trace.loaded(found):
                continue
            globs = parse(trace.text(found)).data.get("globs")
            patterns = split_commas(globs) if isinstance(globs, str) else texts(globs)
            if patterns and not _matches(trace, patterns, dirname(found)):
                trace.miss(found, "conditional", "Its `globs` match no file that was read.", path)
                continue
            trace.load(found, f"Mentioned: {match[1]}", "lazy" if patterns else when, imported_by=path)
            _mentions(trace, found, when, hops - 1)


def _matches(trace: Trace, patterns: list[str], owner: str) -> bool:
    for pattern in patterns:
        local = pattern.startswith(("./", "../"))
        base = resolve(owner, pattern, trace.home) if local else f"**/{pattern.removeprefix('**/')}"
        seen = (trace.target or "") if local else relative(trace.target or "", trace.workspace)
        if trace.target and minimatch(base, seen, dot=True):
            return True
    return False


PROFILE = Profile(
    id="amp",
    name="Amp",
    version="manual of late 2026",
    confidence="documented",
    names=_NAMES,
    reach="it reads from the home down to the working directory, and below that towards a file that is read.",
    rules=(
        Rule("The machine's `/etc/ampcode/AGENTS.md`, then both `~/.config/amp/AGENTS.md` and `~/.config/AGENTS.md`.", "documented"),
        Rule("Every directory from the home down to the working one, whatever git says; below it when a file there is read.", "documented"),
        Rule("Per directory `AGENTS.md`, else `AGENT.md` or `CLAUDE.md` (their order is not stated).", "documented"),
        Rule("`@file` mentions add files, globs too; a mentioned file with `globs` waits for a matching file.", "documented"),
    ),
    run=_load,
)  # fmt: skip
