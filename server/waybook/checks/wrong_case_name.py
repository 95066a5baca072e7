"""A file whose name is an instruction file's but for upper and lower case, so that it is not read.

**What it finds.** `AGENTS.MD`, `Claude.md` and the like: names are compared exactly, on every system, so such a file
applies to nothing.

**Why it matters.** On a disk that ignores case the file seems to work for some tools and silently does not for others.

**Example.** `svc/AGENTS.MD`:

    svc/AGENTS.MD:1:1: hint: svc/AGENTS.MD is not read: the name must be exactly AGENTS.md.

Some agents do not mind the case (Copilot CLI); where one that is in use reads the file, the finding says so.

**Not flagged.** Pages about agents: `docs/agents.md` in lower case is content, and so is `Agents.md` below a folder of
documentation. A lower-case name counts only at the root, and only where the right name is absent.

**How to suppress.** Set the severity of `wrong-case-name` in your settings, or rename the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.checks.agent_answers import by_agent, names
from waybook.checks.model import DiskCheck
from waybook.checks.places import START, base_name, join, parent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.view import View

_NAMES = {name.casefold(): name for name in ("AGENTS.md", "AGENTS.override.md", "CLAUDE.md")}
_PAGES = frozenset({"doc", "docs", "documentation", "content", "pages", "site", "website", "wiki", "blog", "posts"})


def run(view: View) -> Iterator[Finding]:
    """One hint on each near miss that was probably meant."""
    for path in view.near_misses:
        right = _NAMES.get(base_name(path).casefold())
        if right is not None and _is_meant(view, path, right):
            read = [verdict for verdict in view.agents.verdicts(path) if verdict.arrives] if view.agents.ids else []
            said = f"is read by {names(read)} only" if read else "is not read"
            message = f"{path} {said}: the name must be exactly {right}."
            yield Finding(CHECK.code, path, START, message, agents=by_agent(read))


def _is_meant(view: View, path: str, right: str) -> bool:
    stem = base_name(path).partition(".")[0]
    if stem.isupper():
        return True
    if stem.islower():
        return not parent(path) and join(parent(path), right) not in {*view.documents, *view.links}
    return not any(part.casefold() in _PAGES for part in parent(path).split("/"))


CHECK = DiskCheck("wrong-case-name", "Name differs by case only", "hint", run)
