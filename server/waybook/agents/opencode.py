"""opencode: one file name chosen for the whole chain, then the config's instructions, then the nearest files on touch."""

from __future__ import annotations

from posixpath import basename, dirname
from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule
from waybook.agents.parts.find import glob
from waybook.agents.parts.settings import jsonc, pick, switched_on, texts
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import ancestors, git_root, inside, join, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from waybook.workspace.box import Box

_NAMES = ("AGENTS.md", "CLAUDE.md", "CONTEXT.md")


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    without_claude = any(
        switched_on(request.env.get(name))
        for name in ("OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT")
    )
    names = tuple(name for name in _NAMES if not (without_claude and name == "CLAUDE.md"))
    config_home = join(request.env.get("XDG_CONFIG_HOME") or join(trace.home, ".config"), "opencode")
    _global_file(trace, config_home, without_claude=without_claude)
    top = git_root(box, trace.cwd) or "/"
    upwards = [place for place in ancestors(trace.cwd) if inside(place, top)]
    without_project = switched_on(request.env.get("OPENCODE_DISABLE_PROJECT_CONFIG"))
    if without_project:
        trace.note("OPENCODE_DISABLE_PROJECT_CONFIG is set: no project file loads.")
    else:
        _project_files(trace, upwards, names)
    _instructions(trace, upwards, config_home, without_project=without_project)
    if trace.touched and inside(trace.touched, trace.cwd):
        for place in ancestors(trace.touched):
            if place == trace.cwd:
                break
            _touched(trace, place, names)
    return trace.loading()


def _global_file(trace: Trace, config_home: str, *, without_claude: bool) -> None:
    paths = [join(config_home, "AGENTS.md")]
    if given := trace.request.env.get("OPENCODE_CONFIG_DIR"):
        paths.insert(0, join(given, "AGENTS.md"))
    claude = join(trace.home, ".claude/CLAUDE.md")
    if without_claude:
        if trace.box.is_file(claude):
            trace.miss(claude, "excluded", "Claude Code's files are switched off by the environment.")
    else:
        paths.append(claude)
    taken = None
    for path in paths:
        if not trace.present(path):
            continue
        if taken:
            trace.miss(path, "shadowed", f"{trace.show(taken)} takes the one place for the user's file.", taken)
            continue
        taken = path
        _add(trace, path, "The user's own file: the first that exists.")


def _add(trace: Trace, path: str, why: str) -> None:
    if trace.blank(path):
        trace.miss(path, "empty", "The file is blank.")
    else:
        trace.load(path, why)


def _project_files(trace: Trace, upwards: list[str], names: Iterable[str]) -> None:
    """The one name of the chain is the first that exists anywhere in it: a file or a folder, even empty."""
    chosen, reason = None, ""
    for name in names:
        found = [join(place, name) for place in upwards if trace.box.kind(join(place, name))]
        if chosen is None and found:
            chosen, reason = name, found[0]
            for path in found:
                if trace.present(path):
                    _add(trace, path, f"{name} is the name chosen for the whole chain; the deepest comes first.")
        elif chosen:
            for path in found:
                if trace.box.is_file(path):
                    why = f"{chosen} exists in the chain and is the one name read in all of it."
                    trace.miss(path, "displaced", why, reason)


def _instructions(trace: Trace, upwards: list[str], config_home: str, *, without_project: bool) -> None:
    patterns: list[str] = []
    for path in _config_files(trace, upwards, config_home, without_project=without_project):
        patterns += texts(pick(jsonc(trace.box, path), "instructions"))
    for pattern in dict.fromkeys(patterns):
        if pattern.startswith(("http://", "https://")):
            trace.note(f"{pattern} is fetched from the network at start; its text is not looked at here.")
            continue
        for path in _matches(trace, pattern, [] if without_project else upwards):
            if not trace.has(path):
                _add(trace, path, f"Named by `instructions` in the configuration: {pattern}")


def _config_files(trace: Trace, upwards: list[str], config_home: str, *, without_project: bool) -> list[str]:
    files = [join(config_home, name) for name in ("config.json", "opencode.json", "opencode.jsonc")]
    if given := trace.request.env.get("OPENCODE_CONFIG"):
        files.append(resolve(trace.cwd, given, trace.home))
    if not without_project:
        for folder in ("", ".opencode/"):
            files += [
                join(place, f"{folder}opencode.{end}") for place in reversed(upwards) for end in ("json", "jsonc")
            ]
    if given := trace.request.env.get("OPENCODE_CONFIG_DIR"):
        files += [join(given, name) for name in ("opencode.json", "opencode.jsonc")]
    return files


def _matches(trace: Trace, pattern: str, upwards: list[str]) -> list[str]:
    """The files of a pattern: from the nearest directory upwards, or of one folder when it begins with `~/` or `/`."""
    if pattern.startswith(("~/", "/")):
        path = resolve("/", pattern, trace.home)
        return glob(trace.box, dirname(path), basename(path))
    return [path for place in upwards for path in glob(trace.box, place, pattern)]


def _touched(trace: Trace, place: str, names: Iterable[str]) -> None:
    taken = None
    for name in names:
        path = join(place, name)
        if not trace.present(path):
            continue
        if taken:
            trace.miss(path, "shadowed", f"{trace.show(taken)} takes the one place of this directory.", taken)
            continue
        taken = path
        if path != trace.target and not trace.has(path):
            if trace.blank(path):
                trace.miss(path, "empty", "The file is blank, yet it keeps its directory's place.")
            else:
                trace.load(
                    path, "The one file of a directory of the file that is read; the nearest comes first.", "lazy"
                )


PROFILE = Profile(
    id="opencode",
    name="opencode",
    version="1.18.33",
    confidence="measured",
    names=_NAMES,
    reach="it reads from the working directory up to the repository's root (to `/` without git), and towards a read file.",
    rules=(
        Rule("The user's file: the first that exists of `~/.config/opencode/AGENTS.md` and `~/.claude/CLAUDE.md`.", "measured"),
        Rule("One name for the whole chain: `AGENTS.md`, else `CLAUDE.md`, else `CONTEXT.md`; even an empty one decides.", "measured"),
        Rule("All files of that name from the working directory up to the root, the deepest first.", "measured"),
        Rule("Then the configuration's `instructions`: globs searched upwards, `~/`, absolute paths and addresses.", "measured"),
        Rule("On reading: each directory below the working one gives its first existing name, the nearest first.", "measured"),
        Rule("No imports, no limit seen at 300 kB, comments kept, exact spelling only.", "measured"),
    ),
    run=_load,
)  # fmt: skip
