"""Qwen Code: QWEN.md and AGENTS.md from above the repository down to the working directory, and rules with paths."""

from __future__ import annotations

from posixpath import dirname
from typing import TYPE_CHECKING, Any

from waybook.agents.model import Loading, Profile, Request, Rule, When
from waybook.agents.parts import imports
from waybook.agents.parts.frontmatter import parse
from waybook.agents.parts.globs import minimatch
from waybook.agents.parts.markdown import without_comments
from waybook.agents.parts.settings import argument, jsonc, last, texts
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.trust import recorded
from waybook.agents.parts.walk import ancestors, inside, join, relative, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.workspace.box import Box

_NAMES = ("QWEN.md", "AGENTS.md")
_HOPS = 5
"""Imports in a row (Qwen Code 0.24.4, measured)."""


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    user_home = request.env.get("QWEN_HOME") or join(trace.home, ".qwen")
    layers = [jsonc(box, join(user_home, "settings.json"))]
    trusted = _trusted(trace, layers, user_home)
    if trusted:
        layers.append(jsonc(box, join(trace.cwd, ".qwen/settings.json")))
    else:
        trace.note("The folder is not trusted: only the user's own files load.")
    names = texts(last(layers, "context", "fileName")) or list(_NAMES)
    root = _project_root(box, trace.cwd)
    for top in _directories(trace, layers):
        for name in names:
            _one_name(trace, top, user_home, name, layers, trusted=trusted)
    if trusted:
        _local_file(trace, root or trace.cwd, layers)
    for folder in dict.fromkeys(
        (join(user_home, "rules"), *([join(root or trace.cwd, ".qwen/rules")] if trusted else []))
    ):
        _rules(trace, folder, root or trace.cwd)
    return trace.loading()


def _trusted(trace: Trace, layers: list[Mapping[str, Any]], user_home: str) -> bool:
    given = trace.request.settings.get("trusted")
    if given is not None:
        return bool(given)
    if last(layers, "security", "folderTrust", "enabled") is not True:
        return True
    return bool(recorded(jsonc(trace.box, join(user_home, "trustedFolders.json")), trace.cwd))


def _project_root(box: Box, start: str) -> str | None:
    """The nearest directory upwards with a `.git` folder that has a HEAD."""
    for place in ancestors(start):
        if box.is_dir(join(place, ".git")) and box.kind(join(place, ".git/HEAD")):
            return place
    return None


def _directories(trace: Trace, layers: list[Mapping[str, Any]]) -> list[str]:
    found = [trace.cwd]
    if any(last(layers, "context", key) for key in ("loadFromIncludeDirectories", "loadMemoryFromIncludeDirectories")):
        given = [part for value in argument(trace.request.args, "--include-directories") for part in value.split(",")]
        given += texts(last(layers, "context", "includeDirectories"))
        found += [resolve(trace.cwd, path.strip(), trace.home) for path in given if path.strip()]
    return [*dict.fromkeys(found)]


def _one_name(
    trace: Trace, top: str, user_home: str, name: str, layers: list[Mapping[str, Any]], *, trusted: bool
) -> None:
    """The user's file of a name, then the project's from above the repository down to the directory."""
    user = join(user_home, name)
    _add(trace, user, "The user's own file.", layers)
    if top == trace.home:
        _add(trace, join(top, name), "The home, where Qwen Code was started.", layers)
    elif trusted:
        for place in _upwards(trace, top, user_home):
            why = "From the directory above the repository (without git: above the home) down to the working directory."
            _add(trace, join(place, name), why, layers)
    else:
        for place in _upwards(trace, top, user_home):
            if trace.box.is_file(join(place, name)):
                trace.miss(join(place, name), "excluded", "The folder is not trusted in Qwen Code.")


def _upwards(trace: Trace, top: str, user_home: str) -> list[str]:
    root = _project_root(trace.box, top)
    stop = dirname(root) if root else dirname(trace.home)
    found: list[str] = []
    for place in ancestors(top):
        if place in {"/", user_home}:
            break
        found.insert(0, place)
        if place == stop:
            break
    return found


def _add(trace: Trace, path: str, why: str, layers: list[Mapping[str, Any]]) -> None:
    if not trace.present(path) or path in trace.state:
        return
    trace.state[path] = True
    if trace.blank(path):
        trace.miss(path, "empty", "The file is blank.")
        return
    if trace.loaded(path):
        trace.note(f"{trace.show(path)} arrives more than once.")
    else:
        trace.load(path, why)
    root = _project_root(trace.box, dirname(path)) or dirname(path)

    flat = last(layers, "context", "importFormat") == "flat"

    def load(target: str, importer: str) -> None:
        if trace.loaded(target):
            trace.note(f"{trace.show(target)} arrives more than once: by itself and by import.")
        else:
            why = "Added after its importer (flat import format)." if flat else "Put in place of its import line."
            trace.load(target, why, imported_by=importer)

    follow = imports.appended if flat else imports.inline
    follow(trace, path, imports.qwen, root, _HOPS, load)


def _local_file(trace: Trace, root: str, layers: list[Mapping[str, Any]]) -> None:
    path = join(root, ".qwen/QWEN.local.md")
    if trace.box.is_link(path):
        trace.miss(path, "link", "A link in this place is not followed.")
    else:
        _add(trace, path, "The project's private file.", layers)


def _rules(trace: Trace, folder: str, root: str) -> None:
    """Rules without `paths` at the start, the others when a file that they match is touched."""
    for path in sorted(trace.box.walk(folder)):
        if not path.endswith(".md"):
            continue
        if trace.box.is_link(path):
            trace.miss(path, "link", "Links inside a rules folder are not followed.")
            continue
        text = trace.text(path).replace("\r\n", "\n")
        front = parse(text)
        if not without_comments(text[front.end :]).strip():
            trace.miss(path, "empty", "There is no text in it besides comments.")
            continue
        patterns = [pattern for pattern in texts(front.data.get("paths")) if pattern]
        _one_rule(trace, path, patterns, root)


def _one_rule(trace: Trace, path: str, patterns: list[str], root: str) -> None:
    when: When = "start"
    why = "A rule without `paths`."
    if patterns:
        target = trace.target
        if target is None or not inside(target, root):
            trace.miss(path, "conditional", "It waits for a file that its `paths` match.")
            return
        matched = next((one for one in patterns if minimatch(one, relative(target, root))), None)
        if matched is None:
            trace.miss(path, "conditional", f"Its `paths` do not match {relative(target, root)}.")
            return
        when, why = "lazy", f"A rule whose `paths` match the touched file: {matched}"
    if trace.once(path):
        trace.load(path, why, when)


PROFILE = Profile(
    id="qwen-code",
    name="Qwen Code",
    version="0.24.4",
    confidence="measured",
    names=(*_NAMES, ".qwen/QWEN.local.md"),
    reach="it reads from the directory above the repository down to the working directory; nothing nested loads on touch.",
    rules=(
        Rule("Every `QWEN.md`, outermost first, then every `AGENTS.md`; `context.fileName` replaces these names.", "measured"),
        Rule("From the directory above the git root (without git: above the home) down to the working directory.", "measured"),
        Rule("The user's files of the same names in `~/.qwen` come first for each name.", "measured"),
        Rule("`.qwen/QWEN.local.md` and `.qwen/rules` of the project root, `~/.qwen/rules`; rules sorted, comments left out.", "measured"),
        Rule("A rule with `paths` waits for a touched file that matches; nested files never load on touch.", "measured"),
        Rule("Imports are put in place, five in a row, inside the repository only; Markdown code protects.", "measured"),
        Rule("In a folder that is not trusted only the user's files load.", "measured"),
    ),
    run=_load,
)  # fmt: skip
