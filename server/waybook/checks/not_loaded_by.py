"""A file that an agent in use leaves out although it is meant for that agent.

**What it finds.** An agent's own file, or an `AGENTS.md`, that the agent's settings exclude, whose front matter the agent cannot
read, that stands where the agent does not look, or that has no text for it.

**Why it matters.** Who wrote the file believes that the agent has it.

**Example.** Cursor reads `.cursorrules` at the root only:

    pkg/.cursorrules:1:1: information: Cursor does not load pkg/.cursorrules: it reads `.cursorrules` at the root only.

**Not flagged.** Anything while no agent is in use; a file that another one displaces (displaced-file), that is lost to a limit
(truncated) or reaches nobody (never-loaded); a file that switches itself off; rules for other targets; nested `AGENTS.md` for
agents that read only the directory they are started in.

**How to suppress.** `<!-- waybook: allow-file not-loaded-by -->` in the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.checks.agent_answers import by_agent, concerns, files, meant_for, names, verb
from waybook.checks.model import DiskCheck
from waybook.checks.never_loaded import is_never_loaded
from waybook.checks.places import first_line
from waybook.workspace.agent_files import agent_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.loading import Verdict
    from waybook.analysis.view import View

_SWITCH = re.compile(r"\A---\n(?:.*\n)*?(?:excludeAgent|disabled|enabled):")


def run(view: View) -> Iterator[Finding]:
    """A finding on each file that an agent leaves out, with the reason."""
    for path, verdicts in files(view).items():
        groups: dict[str, list[Verdict]] = {}
        for verdict in verdicts:
            if concerns(verdict, path) and _tells(view, path, verdict):
                groups.setdefault(getattr(verdict.item, "why", ""), []).append(verdict)
        if groups and not is_never_loaded(view, path, verdicts):
            for why, agents in groups.items():
                message = f"{names(agents)} {verb(agents, 'does', 'do')} not load {path}: {why}"
                yield Finding(CHECK.code, path, first_line(view, path), message, agents=by_agent(agents))


def _tells(view: View, path: str, verdict: Verdict) -> bool:
    """Whether the reason is one that its writer may not know."""
    if verdict.reason == "excluded":
        return not _SWITCH.match(view.documents[path].text)
    if verdict.reason == "outside":
        return bool(meant_for(path))
    return verdict.reason == "empty" and agent_file(path) is not None


CHECK = DiskCheck("not-loaded-by", "An agent in use leaves it out", "information", run, suppressible=True)
