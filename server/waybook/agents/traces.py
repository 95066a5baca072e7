"""Which agents are in use: those that left something of their own in the workspace or in the home.

A shared file such as AGENTS.md names no agent. Folders of settings are what each program makes or reads by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.agents.model import Request
    from waybook.workspace.box import Box

TRACES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "codex": ((".codex", "AGENTS.override.md"), (".codex",)),
    "claude-code": (
        ("CLAUDE.md", "CLAUDE.local.md", ".claude"),
        (".claude", ".claude.json"),
    ),
    "copilot-cli": ((), (".copilot",)),
    "gemini-cli": (("GEMINI.md", ".gemini"), (".gemini",)),
    "qwen-code": (("QWEN.md", ".qwen"), (".qwen",)),
    "opencode": (("opencode.json", "opencode.jsonc", ".opencode"), (".config/opencode", ".local/share/opencode")),
    "cline": ((".clinerules", ".cline"), (".cline",)),
    "pi": ((".pi",), (".pi",)),
    "vibe": ((".vibe",), (".vibe",)),
    "cursor": ((".cursor", ".cursorrules"), (".cursor",)),
    "vscode-copilot": (
        (".github/copilot-instructions.md", ".github/instructions"),
        (),
    ),
    "zed": ((".zed", ".rules"), (".config/zed",)),
    "amp": ((".amp",), (".config/amp",)),
    "windsurf": ((".windsurf", ".windsurfrules", ".devin"), (".codeium/windsurf",)),
    "roo-code": ((".roo", ".roorules"), (".roo",)),
    "dsh": ((), (".dsh",)),
    "prayu": ((".prayu",), (".prayu",)),
}
"""Agent -> (paths in the workspace, paths in the home); any one of them is enough."""


def in_use(request: Request, box: Box, chosen: Sequence[str] = ()) -> tuple[str, ...]:
    """The agents a person chose in the settings; with none chosen, those whose traces are there, in the list's order."""
    if chosen:
        return tuple(chosen)
    return tuple(agent for agent in TRACES if _left_something(agent, request, box))


def _left_something(agent: str, request: Request, box: Box) -> bool:
    here, home = TRACES[agent]
    return any(box.kind(f"{request.workspace}/{path}") for path in here) or any(
        box.kind(f"{request.home}/{path}") for path in home
    )
