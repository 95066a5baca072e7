"""A file that an agent in use passes over because another file takes its place.

**What it finds.** An agent's own file, or an `AGENTS.md`, that does not reach an agent which reads such files: Claude Code reads
no `AGENTS.md` of a project once a `CLAUDE.md` with text stands in the working directory or above; opencode chooses one name for
the whole project; Zed takes the first of a list; Windsurf prefers `.devin/rules`.

**Why it matters.** Two agents follow different rules in one directory, and neither says so.

**Example.** A root `CLAUDE.md` that does not import `AGENTS.md`, with Claude Code in use:

    AGENTS.md:1:1: information: Claude Code does not load AGENTS.md: CLAUDE.md displaces every AGENTS.md of the project.

The fix lets the displacing file import the other one, or puts a `CLAUDE.md` that does beside it. Where one file displaces more than
eight others, that is one finding, on the displacing file.

**Not flagged.** Anything while no agent is in use; a text that arrives all the same, under another name or by import; files that
are meant for another agent; an `AGENTS.md` beside an `AGENTS.override.md` (shadowed-file).

**How to suppress.** `<!-- waybook: allow-file displaced-file -->` in the file.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from waybook.analysis.findings import CreateFile, Finding, Fix, Related, TextEdit
from waybook.base.text import Span
from waybook.checks.agent_answers import arrives_otherwise, by_agent, concerns, files, names, verb
from waybook.checks.model import DiskCheck
from waybook.checks.never_loaded import is_never_loaded
from waybook.checks.places import OVERRIDE, base_name, first_line, join, listed, parent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.loading import Verdict
    from waybook.analysis.view import View


MANY = 8
"""More files than this that give way to one other file are told as one finding, on that file."""


class _Lost(NamedTuple):
    path: str
    agents: list[Verdict]


def run(view: View) -> Iterator[Finding]:
    """A finding on each file that gives way to another one, or one on a file that displaces many."""
    by_blame: dict[tuple[str, tuple[str, ...]], list[_Lost]] = {}
    for path, verdicts in files(view).items():
        groups: dict[str, list[Verdict]] = {}
        for verdict in verdicts:
            if _is_lost(view, path, verdict):
                groups.setdefault(getattr(verdict.item, "by", None) or "", []).append(verdict)
        if groups and not is_never_loaded(view, path, verdicts):
            for blame, agents in groups.items():
                by_blame.setdefault((blame, by_agent(agents)), []).append(_Lost(path, agents))
    for (blame, _), lost in by_blame.items():
        if len(lost) > MANY and blame in view.documents:
            yield _of_many(view, blame, lost)
        else:
            for path, agents in lost:
                yield _finding(view, path, blame, agents)


def _of_many(view: View, blame: str, lost: list[_Lost]) -> Finding:
    agents = lost[0].agents
    paths = [item.path for item in lost]
    edits = tuple(edit for item in lost for fix in _fixes(view, item.path, blame, agents) for edit in fix.edits)
    fixes = (Fix(f"Let a CLAUDE.md beside each of the {len(lost)} files import it", edits),) if edits else ()
    return Finding(
        CHECK.code,
        blame,
        first_line(view, blame),
        f"{names(agents)} {verb(agents, 'does', 'do')} not load {len(lost)} files that this one displaces: {listed(paths)}.",
        related=tuple(Related(path, first_line(view, path), "It gives way.") for path in paths),
        fixes=fixes,
        agents=by_agent(agents),
        data={"displaces": paths},
    )


def _is_lost(view: View, path: str, verdict: Verdict) -> bool:
    if verdict.reason not in {"displaced", "shadowed"} or not concerns(verdict, path):
        return False
    blame = getattr(verdict.item, "by", None) or ""
    return base_name(blame) != OVERRIDE and not arrives_otherwise(view, path, verdict)


def _finding(view: View, path: str, blame: str, agents: list[Verdict]) -> Finding:
    why = getattr(agents[0].item, "why", "")
    related = (Related(blame, first_line(view, blame), "This file counts instead."),) if blame in view.documents else ()
    return Finding(
        CHECK.code,
        path,
        first_line(view, path),
        f"{names(agents)} {verb(agents, 'does', 'do')} not load {path}: {why}",
        related=related,
        fixes=tuple(_fixes(view, path, blame, agents)),
        agents=by_agent(agents),
        data={"by": blame},
    )


def _fixes(view: View, path: str, blame: str, agents: list[Verdict]) -> Iterator[Fix]:
    """Claude Code reads imports: the file that counts may name the one that does not."""
    if "claude-code" not in by_agent(agents) or base_name(path) != "AGENTS.md":
        return
    beside = join(parent(path), "CLAUDE.md")
    if beside in view.documents:
        text = view.documents[beside].text
        end = "" if text.endswith("\n") or not text else "\n"
        edit = TextEdit(beside, Span(len(text), len(text)), f"{end}\n@AGENTS.md\n")
        yield Fix(f"Let {beside} import {path}", (edit,))
    elif beside not in view.links and blame:
        imported = posixpath.basename(path)
        yield Fix(f"Add {beside} that imports {path}", (CreateFile(beside, f"@{imported}\n"),))


CHECK = DiskCheck("displaced-file", "Another file takes its place for an agent", "information", run, suppressible=True)
