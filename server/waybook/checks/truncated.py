"""A file that an agent in use does not load to its end, or not at all, because a size limit is reached.

**What it finds.** The part of a file that an agent cuts off, from the first lost byte on; and every file that is lost as a
whole because the files before it used up the agent's budget. Codex, for one, loads 32,768 bytes from the project's root
down: a long file at the root costs the files nearest to the code.

**Why it matters.** The agent does not say so. The rules that stand last, or nearest, are silently gone.

**Example.** A root file of 40,000 bytes, with Codex in use:

    AGENTS.md:612:8: warning: Codex stops here: 32,768 of 40,000 bytes arrive, the rest is lost.
    api/AGENTS.md:1:1: warning: Codex, started in api, does not load api/AGENTS.md: AGENTS.md (40,000 bytes) has used up the budget.

**Not flagged.** Anything while no agent is in use, files that are long but within every limit.

**How to suppress.** `<!-- waybook: allow truncated -->` in front of the lost part, or `allow-file` for a lost file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding, Related
from waybook.base.text import Span
from waybook.checks.agent_answers import by_agent, files, names, verb
from waybook.checks.model import DiskCheck
from waybook.checks.places import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.agents.model import Loaded
    from waybook.analysis.loading import Verdict
    from waybook.analysis.view import View


def run(view: View) -> Iterator[Finding]:
    """A finding on each lost end, and on each lost file."""
    for path, verdicts in files(view).items():
        cuts: dict[tuple[int | None, str], list[Verdict]] = {}
        for verdict in verdicts:
            item = verdict.item
            if verdict.state == "over_budget":
                yield _lost(view, path, verdict)
            elif item is not None and not verdict.reason and not item.complete:  # type: ignore[union-attr]  # no reason: it is loaded
                cuts.setdefault((item.cut_at, verdict.state), []).append(verdict)  # type: ignore[union-attr]  # likewise
        for (cut, _), agents in cuts.items():
            yield _cut(view, path, agents, cut)


def _cut(view: View, path: str, agents: list[Verdict], cut: int | None) -> Finding:
    item: Loaded = agents[0].item  # type: ignore[assignment]  # only loaded files are cut
    document = view.documents[path]
    if cut is None:
        span = first_line(view, path)
        message = f"{path} is longer than {names(agents)} {verb(agents, 'takes', 'take')}. {item.why}"
    else:
        span = Span(_offset(view, path, cut), len(document.text))
        arrive = "arrive" if item.when == "start" else "arrive when a file below is read or edited"
        message = (
            f"{names(agents)}{_started(agents[0])} {verb(agents, 'stops', 'stop')} here: "
            f"{cut:,} of {item.bytes:,} bytes {arrive}, the rest is lost."
        )
    return Finding(CHECK.code, path, span, message, agents=by_agent(agents), data={"cut_at": cut})


def _started(verdict: Verdict) -> str:
    """Where the agent has to be started to look at the file at all, unless that is the root."""
    return f", started in {verdict.started}," if verdict.started else ""


def _offset(view: View, path: str, cut: int) -> int:
    """The character at which a byte count ends; a character that the cut splits is lost."""
    arrived = view.agents.read(path)[:cut].decode("utf-8", "ignore").removeprefix("\ufeff")
    return min(len(arrived), len(view.documents[path].text))


def _lost(view: View, path: str, verdict: Verdict) -> Finding:
    """A file that comes too late for the budget, with the files that used it up."""
    spent = [item for item in view.agents.chain_around(path, verdict).chain if item.path in view.documents]
    largest = max(spent, key=lambda item: item.bytes, default=None)
    name = verdict.agent.name
    if largest is None:
        why = getattr(verdict.item, "why", "")
        return Finding(
            CHECK.code, path, first_line(view, path), f"{name} does not load {path}: {why}", agents=(verdict.agent.id,)
        )
    before = f"the {len(spent)} files before it, above all {largest.path}" if len(spent) > 1 else largest.path
    have = "have" if len(spent) > 1 else "has"
    comma = "," if len(spent) > 1 else ""
    name += _started(verdict)
    message = f"{name} does not load {path}: {before} ({largest.bytes:,} bytes){comma} {have} used up the budget."
    related = (Related(largest.path, first_line(view, largest.path), f"{largest.bytes:,} bytes come before it."),)
    return Finding(CHECK.code, path, first_line(view, path), message, related=related, agents=(verdict.agent.id,))


CHECK = DiskCheck("truncated", "Lost to an agent's size limit", "warning", run, suppressible=True)
