"""What arguments, environment and settings of Claude Code change about loading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waybook.agents.parts.globs import minimatch
from waybook.agents.parts.settings import argument, json_text, jsonc, last, pick, texts
from waybook.agents.parts.walk import git_root, join, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.agents.parts.trace import Trace

_PLUGIN = "agents-md@builtin"
_MODES = {"claude-md-or-agents-md", "claude-md-and-agents-md", "claude-md", "managed-only"}
_OLDER = re.compile(r"claude-(?:[23]|(?:sonnet|opus|haiku)-4(?:-[0-5])?(?!\d))")
_CURRENT_CUT, _OLDER_CUT = 150_000, 40_000
"""Characters of a touched file that arrive (Claude Code 2.1.332, measured with a current and an older model)."""


@dataclass(frozen=True, slots=True)
class Options:
    """The switches.

    `user`, `project` and `local` say which sources load; `external` whether imports from outside are approved;
    `touch_cut` is the number of characters of a touched file that arrive.
    """

    user_home: str
    user: bool
    project: bool
    local: bool
    instruction_files: str
    excludes: tuple[str, ...]
    external: bool
    touch_cut: int

    @classmethod
    def read(cls, trace: Trace) -> Options:
        """Read the options of one start."""
        user_home = trace.request.env.get("CLAUDE_CONFIG_DIR") or join(trace.home, ".claude")
        given = argument(trace.request.args, "--setting-sources")
        sources = (
            {part.strip() for value in given for part in value.split(",")} if given else {"user", "project", "local"}
        )
        box = trace.box
        managed = jsonc(box, "/etc/claude-code/managed-settings.json")
        own = jsonc(box, join(user_home, "settings.json")) if "user" in sources else {}
        project = jsonc(box, join(trace.cwd, ".claude/settings.json")) if "project" in sources else {}
        local = jsonc(box, join(trace.cwd, ".claude/settings.local.json")) if "local" in sources else {}
        flag = _flag_settings(trace)
        excludes = [glob for table in (own, project, local, *flag) for glob in texts(table.get("claudeMdExcludes"))]
        return cls(
            user_home=user_home,
            user="user" in sources,
            project="project" in sources,
            local="local" in sources,
            instruction_files=_mode((own, *flag, managed)),
            excludes=tuple(excludes),
            external=_approved(trace),
            touch_cut=_OLDER_CUT if _OLDER.search(_model(trace, (own, project, local, *flag))) else _CURRENT_CUT,
        )

    def excluded(self, path: str) -> str | None:
        """The exclusion that takes an absolute path, if one does."""
        return next((glob for glob in self.excludes if minimatch(glob, path, dot=True)), None)


def _flag_settings(trace: Trace) -> list[Mapping[str, Any]]:
    """The settings given with `--settings`, as JSON or as a file."""
    given = argument(trace.request.args, "--settings")
    return [
        json_text(text) if text.lstrip().startswith("{") else jsonc(trace.box, resolve(trace.cwd, text, trace.home))
        for text in given
    ]


def _mode(tables: tuple[Mapping[str, Any], ...]) -> str:
    """How AGENTS.md counts; a project's own settings have no say."""
    if last(tables, "enabledPlugins", _PLUGIN) is False:
        return "claude-md"
    mode = last(tables, "pluginConfigs", _PLUGIN, "options", "instructionFiles")
    return str(mode) if mode in _MODES else "claude-md-or-agents-md"


def _approved(trace: Trace) -> bool:
    projects = pick(jsonc(trace.box, join(trace.home, ".claude.json")), "projects")
    places = (trace.cwd, git_root(trace.box, trace.cwd) or trace.cwd)
    return (
        any(pick(projects, place, "hasClaudeMdExternalIncludesApproved") is True for place in places)
        if projects
        else False
    )


def _model(trace: Trace, tables: tuple[Mapping[str, Any], ...]) -> str:
    given = argument(trace.request.args, "--model")
    return given[-1] if given else trace.request.env.get("ANTHROPIC_MODEL") or str(last(tables, "model") or "")
