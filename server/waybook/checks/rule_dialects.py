"""How each agent reads the front matter of its rules: the key that says where a rule applies, and what its globs can match.

As measured (Claude Code 2.1.332, Copilot CLI 1.0.102, Cline 3.0.65, Qwen Code 0.24.4) or documented (Cursor, Windsurf).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.workspace.agent_files import agent_file

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Dialect:
    """`key` holds the globs; `without` says what a rule without it does; `foreign` are keys of other agents.

    `folded`: case does not count in globs; `owner_only`: globs are relative to the directory that owns the rules;
    `any_depth`: some agent of the dialect tries every glob at any depth (VS Code, its source).
    """

    agents: tuple[str, ...]
    name: str
    key: str
    without: str
    foreign: frozenset[str]
    folded: bool = False
    owner_only: bool = False
    any_depth: bool = False


_ALWAYS = "the rule loads for every file"
_DIALECTS: Mapping[str, Dialect] = {
    "claude-rule": Dialect(
        ("claude-code",), "Claude Code", "paths", _ALWAYS, frozenset({"globs", "applyTo"}), folded=True, owner_only=True
    ),
    "qwen-rule": Dialect(("qwen-code",), "Qwen Code", "paths", _ALWAYS, frozenset({"globs", "applyTo"})),
    "cline-rule": Dialect(("cline",), "Cline", "paths", _ALWAYS, frozenset({"globs", "applyTo"})),
    "copilot-rule": Dialect(
        ("copilot-cli", "vscode-copilot"),
        "Copilot",
        "applyTo",
        "the command line loads the file always and VS Code only lists it",
        frozenset({"paths", "globs"}),
        folded=True,
        any_depth=True,
    ),
    "cursor-rule": Dialect(
        ("cursor",), "Cursor", "globs", "the rule is attached to no file", frozenset({"paths", "applyTo"}), folded=True
    ),
    "windsurf-rule": Dialect(
        ("windsurf",),
        "Windsurf",
        "globs",
        "the rule is attached to no file",
        frozenset({"paths", "applyTo"}),
        folded=True,
    ),
}
TRIGGERS = ("always_on", "glob", "manual", "model_decision")
"""The values of `trigger` in Windsurf's rules (documented)."""


def dialect(path: str) -> Dialect | None:
    """The dialect of a rule's front matter, by the folder that the rule stands in; None elsewhere."""
    own = agent_file(path)
    return _DIALECTS.get(own.family) if own is not None else None


def cannot_match(path: str, pattern: str) -> str:
    """Why an agent's globs of this form match nothing, whatever files there are; "" where they may."""
    own = agent_file(path)
    if own is None or not pattern:
        return ""
    if own.family == "claude-rule":
        if pattern.startswith(("./", "../")):
            return "Claude Code's patterns are those of .gitignore, which know no ./ and ../"
        if pattern.count("[") > pattern.count("]"):
            return "a [ is never closed"
    if own.family == "copilot-rule":
        if pattern.startswith("/"):
            return "Copilot CLI matches nothing that begins with /"
        if pattern.endswith("/"):
            return "Copilot matches files, and no file's path ends in /"
    return ""
