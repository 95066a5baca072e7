"""What every real agent loads: one profile a file, each a list of rules, measured where that was possible.

`explain(ids, request)` answers for any number of agents over one view of the disk. Profiles are imported when they are
asked for.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from waybook.agents.model import Loaded, Loading, NotLoaded, Profile, Request, Rule
from waybook.base.errors import UsageError
from waybook.workspace.box import Box

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "DOCUMENTED",
    "MEASURED",
    "OWN",
    "Loaded",
    "Loading",
    "NotLoaded",
    "Profile",
    "Request",
    "Rule",
    "explain",
    "ids",
    "profile",
]

MEASURED = ("codex", "claude-code", "copilot-cli", "gemini-cli", "qwen-code", "opencode", "cline", "pi", "vibe")
"""Agents whose published program was run and recorded."""

DOCUMENTED = ("cursor", "vscode-copilot", "zed", "amp", "windsurf", "roo-code", "dsh")
"""Agents known from their documents or source only; every answer says so."""


OWN = ("prayu",)
"""The profile that Waybook implements itself, from its recorded behaviour."""


def ids() -> tuple[str, ...]:
    """Every agent's id, measured ones first."""
    return MEASURED + OWN + DOCUMENTED


@lru_cache(maxsize=64)
def profile(agent: str) -> Profile:
    """The profile of an agent; an unknown id is a `UsageError`."""
    if agent not in ids():
        msg = f"There is no agent {agent!r}."
        raise UsageError(msg, code="unknown-agent", hint=f"Known agents: {', '.join(ids())}.")
    found = import_module(f"waybook.agents.{agent.replace('-', '_')}").PROFILE
    assert isinstance(found, Profile)  # noqa: S101 - tells the type checker what the table promises
    return found


def explain(agents: Iterable[str], request: Request, box: Box | None = None) -> tuple[Loading, ...]:
    """Each agent's answer to one request, in the order asked, over one shared view of the disk.

    Pass the `box` of an earlier answer to ask about further targets of the same pass: what it has seen is not read anew.
    """
    shared = Box(request.root) if box is None else box
    return tuple(profile(agent).load(request, shared) for agent in agents)
