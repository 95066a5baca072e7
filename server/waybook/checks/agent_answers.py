"""What the agents in use do with each instruction file of a view, for the checks that speak of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.checks.memo import PerView
from waybook.checks.places import base_name, parent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from waybook.analysis.loading import Verdict
    from waybook.analysis.view import View

_MEANT = {
    "CLAUDE.md": ("claude-code",),
    "CLAUDE.local.md": ("claude-code",),
    "AGENTS.override.md": ("codex",),
    "AGENTS.local.md": ("roo-code",),
    "GEMINI.md": ("gemini-cli",),
    "QWEN.md": ("qwen-code",),
    "QWEN.local.md": ("qwen-code",),
    "copilot-instructions.md": ("copilot-cli", "vscode-copilot"),
    ".cursorrules": ("cursor",),
    ".windsurfrules": ("windsurf",),
    ".clinerules": ("cline",),
    ".roorules": ("roo-code",),
    ".rules": ("zed",),
}
_MEANT_FOLDERS = (
    (".claude/rules", ("claude-code",)),
    (".github/instructions", ("copilot-cli", "vscode-copilot")),
    (".cursor/rules", ("cursor",)),
    (".clinerules", ("cline",)),
    (".cline/rules", ("cline",)),
    (".windsurf/rules", ("windsurf",)),
    (".devin/rules", ("windsurf",)),
    (".roo/", ("roo-code",)),
    (".qwen/rules", ("qwen-code",)),
)


def files(view: View) -> Mapping[str, tuple[Verdict, ...]]:
    """By path, for every instruction file that is no link: each agent's verdict. Empty when no agent is in use."""
    return _files(view) if view.agents.ids else {}


def links(view: View) -> Mapping[str, tuple[Verdict, ...]]:
    """The same for the linked ones."""
    if not (view.links or view.agent_links) or not view.agents.ids:
        return {}
    return _links(view)


def meant_for(path: str) -> tuple[str, ...]:
    """The agents that a file is written for, by its name; none for a file that agents share, such as AGENTS.md."""
    known = _MEANT.get(base_name(path))
    if known is not None:
        return known
    folder = f"/{parent(path)}/"
    return next((agents for name, agents in _MEANT_FOLDERS if f"/{name}" in folder), ())


def concerns(verdict: Verdict, path: str) -> bool:
    """Whether a file is meant for an agent: it is the agent's own, or one that the agent shares with others."""
    meant = meant_for(path)
    return verdict.agent.id in meant if meant else base_name(path) in verdict.agent.names


def reaches_nobody(verdicts: Iterable[Verdict]) -> bool:
    """Whether no agent in use gets the file, be it later or only its path."""
    return not any(verdict.arrives or verdict.state == "listed" for verdict in verdicts)


def arrives_otherwise(view: View, path: str, verdict: Verdict) -> bool:
    """Whether the agent gets the very same file or text under another name, so that nothing is lost."""
    return view.agents.holds(view.agents.chain_around(path, verdict), path)


def by_agent(verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """The ids, for a finding."""
    return tuple(verdict.agent.id for verdict in verdicts)


def names(verdicts: Iterable[Verdict]) -> str:
    """`Codex`, `Codex and Claude Code`, `Codex, Claude Code and 3 more`, for a message."""
    found = [verdict.agent.name for verdict in verdicts]
    if len(found) > _MOST_NAMED:
        return f"{', '.join(found[:_MOST_NAMED])} and {len(found) - _MOST_NAMED} more agents"
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))


def verb(verdicts: Iterable[Verdict], one: str, many: str) -> str:
    """The verb for as many agents."""
    return one if len(tuple(verdicts)) == 1 else many


def _asked(view: View, paths: Iterable[str]) -> Iterator[tuple[str, tuple[Verdict, ...]]]:
    return ((path, view.agents.verdicts(path)) for path in sorted(paths) if base_name(path) != "instructions.ignore")


def _of_files(view: View) -> Mapping[str, tuple[Verdict, ...]]:
    return dict(_asked(view, (path for path in view.documents if "/.prayu/" not in f"/{path}")))


def _of_links(view: View) -> Mapping[str, tuple[Verdict, ...]]:
    return dict(_asked(view, (*view.links, *view.agent_links)))


_MOST_NAMED = 4
_files = PerView(_of_files)
_links = PerView(_of_links)
