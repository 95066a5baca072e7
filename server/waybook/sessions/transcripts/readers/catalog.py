"""The list of formats. A new agent: one file beside this one, one line here, one folder of samples in the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.errors import UsageError
from waybook.sessions.transcripts.readers import (
    claude_code,
    cline,
    codex,
    copilot_cli,
    gemini_cli,
    opencode,
    pi,
    qwen_code,
    vibe,
)

if TYPE_CHECKING:
    from waybook.sessions.transcripts.readers.model import Format

FORMATS: tuple[Format, ...] = (
    claude_code.FORMAT,
    codex.FORMAT,
    codex.INDEX,
    gemini_cli.FORMAT,
    gemini_cli.OLD,
    qwen_code.FORMAT,
    copilot_cli.FORMAT,
    copilot_cli.NAMES,
    opencode.FORMAT,
    pi.FORMAT,
    vibe.FORMAT,
    cline.FORMAT,
)


def agents() -> tuple[str, ...]:
    """The ids of the agents whose sessions can be read."""
    return tuple(dict.fromkeys(form.agent for form in FORMATS))


def formats(agent: str = "") -> tuple[Format, ...]:
    """The formats of an agent, or all; raises `UsageError` for an unknown one."""
    if agent and agent not in agents():
        raise UsageError(
            f"Waybook cannot read sessions of {agent!r}.",
            code="unknown-agent",
            hint=f"Known are: {', '.join(agents())}.",
        )
    return tuple(form for form in FORMATS if not agent or form.agent == agent)
