"""GitHub Copilot CLI: instruction files of the repository's root and the working directory, rules by path, more on view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule, When
from waybook.agents.parts import imports
from waybook.agents.parts.frontmatter import parse, simple_lines
from waybook.agents.parts.globs import minimatch, split_commas
from waybook.agents.parts.settings import texts
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import ancestors, down, git_root, inside, join, relative, resolve

if TYPE_CHECKING:
    from waybook.workspace.box import Box

_NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
_HOPS = 32
"""Imports in a row: eight were measured to work; ours keeps a very long chain from ending the program."""
_ALWAYS = {"**", "**/*", "*", ""}
_OTHER_AGENTS = {"cloud-agent", "coding-agent"}


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    root = git_root(box, trace.cwd) or trace.cwd
    if "--no-custom-instructions" in request.args:
        trace.note("Started with --no-custom-instructions: nothing loads.")
        return trace.loading()
    places = down(root, trace.cwd)
    _file(trace, join(trace.home, ".copilot"), "copilot-instructions.md", "start", "The user's own file.", root)
    for place in dict.fromkeys((root, trace.cwd)):
        why = "The repository-wide file of the root and of the working directory."
        _file(trace, join(place, ".github"), "copilot-instructions.md", "start", why, root)
    for place in dict.fromkeys((root, trace.cwd, *reversed(places))):
        for name in _NAMES:
            why = "The root first, then the working directory, then the directories between."
            _file(trace, place, name, "start", why, root)
    _start_rules(trace, root)
    _touched(trace, root)
    return trace.loading()


def _file(trace: Trace, place: str, name: str, when: When, why: str, root: str) -> None:
    """A file whose name is matched without regard to case, with its imports."""
    for spelled in trace.box.spellings(place, name):
        path = join(place, spelled)
        if not trace.present(path) or trace.has(path) or not trace.once(path):
            continue
        first = trace.same_text(path)
        if trace.blank(path):
            trace.miss(path, "empty", "The file is blank.")
        elif first:
            trace.miss(
                path, "displaced", f"Its text is the same as that of {trace.show(first)}, which counts once.", first
            )
        else:
            trace.load(path, why, when)
            if name != "GEMINI.md":
                _imports(trace, path, root, when)


def _imports(trace: Trace, path: str, root: str, when: When) -> None:
    def load(target: str, importer: str) -> None:
        if trace.loaded(target):
            trace.note(f"{trace.show(target)} arrives more than once: by itself and by import.")
        else:
            trace.load(target, "Put in place of its import.", when, imported_by=importer)

    imports.inline(trace, path, imports.copilot, root, _HOPS, load)


def _start_rules(trace: Trace, root: str) -> None:
    for path in _rule_files(trace, join(trace.home, ".copilot/instructions"), ".instructions.md"):
        _rule(trace, path, "applyTo", root, root)
    for place in dict.fromkeys((root, trace.cwd)):
        for path in _rule_files(trace, join(place, ".github/instructions"), ".instructions.md"):
            _rule(trace, path, "applyTo", root, root)
    given = trace.request.env.get("COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "")
    for folder in (resolve(trace.cwd, item.strip(), trace.home) for item in given.split(",") if item.strip()):
        found = _rule_files(trace, join(folder, ".github/instructions"), ".instructions.md")
        found += [path for path in _rule_files(trace, folder, ".instructions.md", deep=False) if path not in found]
        for path in found:
            _rule(trace, path, "applyTo", root, folder)
    for place in dict.fromkeys((root, trace.cwd)):
        for path in _rule_files(trace, join(place, ".claude/rules"), ".md"):
            _rule(trace, path, "paths", root, root)


def _rule_files(trace: Trace, folder: str, end: str, *, deep: bool = True) -> list[str]:
    """The rule files of a folder in the order of their bytes; hidden ones are passed over."""
    if not trace.box.is_dir(folder):
        return []
    found = trace.box.walk(folder) if deep else [join(folder, name) for name in sorted(trace.box.entries(folder))]
    return [path for path in found if path.lower().endswith(end) and "/." not in f"/{relative(path, folder)}"]


def _patterns(trace: Trace, path: str, key: str) -> tuple[list[str], bool]:
    """(patterns, hidden from this agent) of a rule; no patterns means always."""
    front = parse(trace.text(path))
    data = simple_lines(front.raw) if front.error else front.data
    value = data.get(key)
    patterns = split_commas(value) if isinstance(value, str) else texts(value)
    hidden = bool(_OTHER_AGENTS & set(texts(data.get("excludeAgent"))))
    return ([] if set(patterns) & _ALWAYS else patterns), hidden


def _rule(trace: Trace, path: str, key: str, root: str, allowed: str, when: When = "start") -> None:
    """A rule without a pattern loads; one with a pattern is listed, and loads when the viewed file matches."""
    if trace.has(path) or not trace.once(path):
        return
    if trace.box.is_link(path) and not inside(trace.box.real(path) or "/", allowed):
        trace.miss(path, "link", "The link leaves the repository and is not followed.")
        return
    patterns, hidden = _patterns(trace, path, key)
    if hidden:
        trace.miss(path, "excluded", "`excludeAgent` in its front matter hides it from this agent.")
    elif trace.blank(path):
        trace.miss(path, "empty", "The file is blank.")
    elif not patterns:
        if first := trace.same_text(path):
            trace.miss(
                path, "displaced", f"Its text is the same as that of {trace.show(first)}, which counts once.", first
            )
        else:
            trace.load(path, f"A rule without `{key}`, or for every file.", when)
    else:
        _conditional(trace, path, key, patterns, root, listed=when == "start")


def _conditional(trace: Trace, path: str, key: str, patterns: list[str], root: str, *, listed: bool) -> None:
    target = trace.target
    seen = relative(target, root) if target and inside(target, root) and not trace.box.is_dir(target) else None
    matched = next((one for one in patterns if seen and _matches(one, seen)), None)
    if matched:
        trace.state.setdefault("matched", []).append((path, f"A rule whose `{key}` matches the viewed file: {matched}"))
    elif listed:
        trace.load(path, f"Only its path is named: its text waits for a viewed file that `{key}` matches.", "listed")
    else:
        trace.miss(path, "conditional", f"Its `{key}` does not match {seen or 'any file that was viewed'}.")


def _matches(pattern: str, path: str) -> bool:
    """Case counts; a pattern without `/` matches the last name at any depth; `./` at the start is nothing."""
    if pattern.startswith("/") or pattern.endswith("/"):
        return False
    return minimatch(pattern.removeprefix("./"), path, base=True, dot=True)


def _touched(trace: Trace, root: str) -> None:
    """What viewing a file brings: matching rules of the root, then each directory of the file, the nearest first."""
    touched, target = trace.touched, trace.target
    if touched is None or target is None or not inside(touched, root) or trace.box.is_dir(target):
        return
    _matched(trace)
    for place in ancestors(touched):
        if place == root:
            break
        if not inside(trace.cwd, place):
            _directory(trace, place, root)


def _matched(trace: Trace) -> None:
    for path, why in trace.state.pop("matched", ()):
        trace.load(path, f"{why}. Its text is XML-escaped.", "lazy")


def _directory(trace: Trace, place: str, root: str) -> None:
    why = "A directory of the viewed file; the nearest comes first."
    _file(trace, join(place, ".github"), "copilot-instructions.md", "lazy", why, root)
    for name in _NAMES:
        _file(trace, place, name, "lazy", why, root)
    _file(trace, join(place, ".claude"), "CLAUDE.md", "lazy", why, root)
    for folder, end, key in (
        (".github/instructions", ".instructions.md", "applyTo"),
        (".claude/rules", ".md", "paths"),
    ):
        for path in _rule_files(trace, join(place, folder), end):
            _rule(trace, path, key, root, root, "lazy")
            _matched(trace)


PROFILE = Profile(
    id="copilot-cli",
    name="Copilot CLI",
    version="1.0.102",
    confidence="measured",
    names=(*_NAMES, ".github/copilot-instructions.md"),
    reach="it reads from the repository's root to the working directory, and the directories of a viewed file.",
    rules=(
        Rule("`~/.copilot/copilot-instructions.md`, then `.github/copilot-instructions.md` of the root and the working directory.", "measured"),
        Rule("`AGENTS.md`, `CLAUDE.md`, `GEMINI.md` of the root, then the working directory, then those between.", "measured"),
        Rule("Then rules: `~/.copilot/instructions`, `.github/instructions`, `.claude/rules`, sorted; no pattern means always.", "measured"),
        Rule("A rule with a pattern is named by its path and loads when a viewed file matches; case counts.", "measured"),
        Rule("On view: each directory of the file gives its files, the nearest first; there `.claude/CLAUDE.md` counts too.", "measured"),
        Rule("Names match without regard to case; blank files are dropped; the same file or text counts once.", "measured"),
        Rule("Imports are put in place, inside the repository, not in fences and code spans, not in `GEMINI.md` or rules.", "measured"),
        Rule("Without git only the working directory; nothing above the repository's root. No limit seen at 300 kB.", "measured"),
    ),
    run=_load,
    folded=True,
)  # fmt: skip
