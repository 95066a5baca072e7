"""An instruction file that none of the agents in use loads.

**What it finds.** Files that some known agent reads by their name (`GEMINI.md`, `AGENT.md`, a rule of Cursor ...), where no agent
in use loads them, wherever it is started and whatever it works on. Where the settings name no agents, only files of agents whose
traces were found count: others may use agents of their own.

**Why it matters.** The file costs work to keep and reaches nobody.

**Example.** Only Codex and Claude Code are in use:

    pkg/GEMINI.md:1:1: hint: No agent in use (Codex and Claude Code) loads pkg/GEMINI.md; Gemini CLI would.

**Not flagged.** Anything while no agent is in use; blank files; links; a text that arrives under another name; files for certain
targets only; files that the `.prayu` profile reads, where that is in use.

**How to suppress.** `<!-- waybook: allow-file never-loaded -->`, or name your agents in the setting `agents`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.analysis.findings import Finding
from waybook.checks.agent_answers import arrives_otherwise, by_agent, concerns, files, meant_for, names, reaches_nobody
from waybook.checks.model import DiskCheck
from waybook.checks.places import first_line
from waybook.workspace.agent_files import agent_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from waybook.analysis.loading import Verdict
    from waybook.analysis.view import View


def run(view: View) -> Iterator[Finding]:
    """A hint on each file that reaches nobody."""
    for path, verdicts in files(view).items():
        if not is_never_loaded(view, path, verdicts):
            continue
        message = f"No agent in use ({names(verdicts)}) loads {path}{_why(path, verdicts)}"
        yield Finding(
            CHECK.code, path, first_line(view, path), message, tags=("unnecessary",), agents=by_agent(verdicts)
        )


def is_never_loaded(view: View, path: str, verdicts: tuple[Verdict, ...]) -> bool:
    """Whether a file with text reaches no agent in use, not even under another name."""
    if not reaches_nobody(verdicts) or not view.documents[path].text.strip():
        return False
    if not view.agents.chosen and not set(meant_for(path)) & set(by_agent(verdicts)):
        return False  # found by their traces, the agents in use may not be all
    if view.agents.prayu and agent_file(path) is None:
        return False
    lost = [verdict for verdict in verdicts if verdict.reason in {"displaced", "shadowed"}]
    if any(verdict.state == "over_budget" for verdict in verdicts):
        return False  # truncated says that
    return not any(arrives_otherwise(view, path, verdict) for verdict in lost)


def _why(path: str, verdicts: tuple[Verdict, ...]) -> str:
    """What to know besides: why the agent it is meant for passes it over, or which agent would load it."""
    own = [verdict for verdict in verdicts if concerns(verdict, path) and verdict.reason]
    if own:
        return f": {getattr(own[0].item, 'why', '')}"
    from waybook.agents import profile

    would = " and ".join(profile(agent).name for agent in meant_for(path) if agent not in by_agent(verdicts))
    return f"; {would} would." if would else "."


CHECK = DiskCheck("never-loaded", "No agent in use loads it", "hint", run, suppressible=True)
