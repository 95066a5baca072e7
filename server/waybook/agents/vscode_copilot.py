"""Copilot in VS Code, by its source and documents: always-on files of the root, instruction files by pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybook.agents.model import Loading, Profile, Request, Rule
from waybook.agents.parts.documented import say_so
from waybook.agents.parts.frontmatter import parse
from waybook.agents.parts.globs import minimatch, split_commas
from waybook.agents.parts.settings import jsonc, pick, texts
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import down, inside, join, relative, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.workspace.box import Box

_ALWAYS = {"**", "**/*", "*"}
_DEFAULT_FOLDERS = {
    ".github/instructions": True, ".claude/rules": True, "~/.copilot/instructions": True, "~/.claude/rules": True,
}  # fmt: skip


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    say_so(trace, "VS Code's source and documents")
    trace.note("The order of the files is sorted by address; the documents promise none.")
    settings = _settings(trace)
    top, home = trace.workspace, trace.home
    always = [
        ("github.copilot.chat.codeGeneration.useInstructionFiles", join(top, ".github"), "copilot-instructions.md"),
        ("chat.useAgentsMdFile", top, "AGENTS.md"),
        ("chat.useClaudeMdFile", top, "CLAUDE.md"),
        ("chat.useClaudeMdFile", top, "CLAUDE.local.md"),
        ("chat.useClaudeMdFile", join(top, ".claude"), "CLAUDE.md"),
        ("chat.useClaudeMdFile", join(home, ".claude"), "CLAUDE.md"),
    ]
    found = [(join(place, name), switch) for switch, place, wanted in always for name in box.spellings(place, wanted)]
    for path, switch in sorted(found):
        if settings.get(switch) is False:
            trace.miss(path, "excluded", f"{switch} is off in VS Code's settings.", switch)
        elif trace.present(path) and trace.once(path):
            _add(trace, path, "An always-on file of the workspace or the home.")
    if settings.get("chat.useNestedAgentsMdFiles") is True:
        for place in down(top, trace.touched or trace.cwd)[1:]:
            if box.is_file(join(place, "AGENTS.md")):
                trace.load(join(place, "AGENTS.md"), "Nested AGENTS.md files are only listed.", "listed")
    _instructions(trace, settings)
    return trace.loading()


def _settings(trace: Trace) -> Mapping[str, Any]:
    merged: dict[str, Any] = {}
    for path in (join(trace.home, ".config/Code/User/settings.json"), join(trace.workspace, ".vscode/settings.json")):
        merged.update(jsonc(trace.box, path))
    return merged


def _add(trace: Trace, path: str, why: str) -> None:
    if trace.blank(path):
        trace.miss(path, "empty", "The file is blank.")
    else:
        trace.load(path, why)


def _instructions(trace: Trace, settings: Mapping[str, Any]) -> None:
    given = pick(settings, "chat.instructionsFilesLocations")
    folders = {**_DEFAULT_FOLDERS, **(given if isinstance(given, dict) else {})}
    for folder, wanted in folders.items():
        if wanted is not True:
            continue
        place = resolve(trace.workspace, folder, trace.home)
        claude = folder.endswith(".claude/rules")
        for path in trace.box.walk(place):
            if path.endswith(".md" if claude else ".instructions.md") and trace.once(path):
                _one(
                    trace,
                    path,
                    "paths" if claude else "applyTo",
                    applying=settings.get("chat.includeApplyingInstructions"),
                )


def _one(trace: Trace, path: str, key: str, *, applying: Any) -> None:
    front = parse(trace.text(path))
    value = front.data.get(key)
    patterns = split_commas(value) if isinstance(value, str) else texts(value)
    if not patterns and key == "paths":
        patterns = ["**"]
    if front.error:
        trace.miss(path, "excluded", f"Its front matter cannot be read: {front.error}.")
    elif not patterns:
        trace.load(path, "Without `applyTo` only its path is offered.", "listed")
    elif applying is False:
        trace.miss(path, "excluded", "chat.includeApplyingInstructions is off in VS Code's settings.")
    elif set(patterns) & _ALWAYS:
        trace.load(path, f"Its `{key}` takes every file.")
    else:
        _conditional(trace, path, key, patterns)


def _conditional(trace: Trace, path: str, key: str, patterns: list[str]) -> None:
    target = trace.target
    seen = relative(target, trace.workspace) if target and inside(target, trace.workspace) else None
    for pattern in patterns:
        whole = pattern.removeprefix("/") if pattern.startswith("/") else f"**/{pattern.removeprefix('**/')}"
        if seen and minimatch(whole, seen, dot=True, fold=True):
            trace.load(path, f"Its `{key}` matches the file: {pattern}", "lazy")
            return
    trace.miss(path, "conditional", f"Its `{key}` does not match {seen or 'any file in the context'}.")


PROFILE = Profile(
    id="vscode-copilot",
    name="Copilot in VS Code",
    version="source and documents of late 2026",
    confidence="source",
    names=(".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"),
    reach="it reads the root of each workspace folder and the home, not nested directories.",
    rules=(
        Rule("Always: the root's `.github/copilot-instructions.md`, `AGENTS.md` and Claude files; each has its setting.", "source"),
        Rule("Nested `AGENTS.md` files only with an experimental setting, and then only listed.", "source"),
        Rule("`*.instructions.md`: `applyTo` patterns get `**/` in front, case does not count; without one only listed.", "source"),
        Rule("`.claude/rules` with the key `paths`; without it for every file.", "source"),
    ),
    run=_load,
    folded=True,
)  # fmt: skip
