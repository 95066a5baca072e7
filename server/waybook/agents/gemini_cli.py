"""Gemini CLI: GEMINI.md up to a boundary marker, sorted by path, and more on touch; imports put in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waybook.agents.model import Loading, Profile, Request, Rule, When
from waybook.agents.parts import imports
from waybook.agents.parts.globs import ignored
from waybook.agents.parts.settings import argument, jsonc, last, switched_on, texts
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.trust import recorded
from waybook.agents.parts.walk import ancestors, down, inside, join, nearest, relative, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.workspace.box import Box

_NAME = "GEMINI.md"
_HOPS = 5
"""Imports in a row (Gemini CLI 0.61.0, source and measured)."""
_FLAT_HOPS = 200
"""The flat format has no bound of its own (source); ours keeps a very long chain from ending the program."""


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    layers = [
        jsonc(box, path) for path in ("/etc/gemini-cli/system-defaults.json", join(trace.home, ".gemini/settings.json"))
    ]
    trusted = _trusted(trace, layers)
    if trusted:
        layers.append(jsonc(box, join(trace.cwd, ".gemini/settings.json")))
    layers.append(jsonc(box, "/etc/gemini-cli/settings.json"))
    names = _names(layers)
    flat = last(layers, "context", "importFormat") == "flat"
    _user_files(trace, names, flat=flat)
    if trusted is False:
        trace.note("The folder is recorded as not trusted: no project file loads.")
        _exclude(trace, names)
        return trace.loading()
    markers = last(layers, "context", "memoryBoundaryMarkers")
    markers = [".git"] if markers is None else texts(markers)
    workspaces = _workspaces(trace, layers)
    found = {join(place, name) for top in workspaces for place in _upwards(box, top, markers) for name in names}
    for path in sorted(path for path in found if box.is_file(path) or box.is_link(path)):
        _add(trace, path, "start", "Between a boundary marker and the working directory; sorted by path.", flat=flat)
    _touched(trace, layers, names, markers, workspaces)
    return trace.loading()


def _names(layers: list[Mapping[str, Any]]) -> list[str]:
    given = texts(last(layers, "context", "fileName")) or texts(last(layers, "contextFileName"))
    return [*dict.fromkeys(name for name in (*given, _NAME) if name.strip())]


def _trusted(trace: Trace, layers: list[Mapping[str, Any]]) -> bool | None:
    """Yes, no, or `None` when nothing says so: then files load but the project's own settings do not count."""
    given = trace.request.settings.get("trusted")
    if given is not None:
        return bool(given)
    if switched_on(trace.request.env.get("GEMINI_CLI_TRUST_WORKSPACE")):
        return True
    if last(layers, "security", "folderTrust", "enabled") is False:
        return True
    return recorded(jsonc(trace.box, join(trace.home, ".gemini/trustedFolders.json")), trace.cwd)


def _user_files(trace: Trace, names: list[str], *, flat: bool) -> None:
    folder = join(trace.home, ".gemini")
    for path in sorted(join(folder, name) for name in names):
        _add(trace, path, "start", "The user's own file; it goes into the system instruction.", flat=flat)
    for extension in sorted(trace.box.entries(join(folder, "extensions"))):
        place = join(folder, f"extensions/{extension}")
        manifest = jsonc(trace.box, join(place, "gemini-extension.json"))
        if manifest:
            for name in texts(manifest.get("contextFileName")) or [_NAME]:
                _add(trace, join(place, name), "start", f"The context file of the extension {extension}.", flat=flat)


def _workspaces(trace: Trace, layers: list[Mapping[str, Any]]) -> list[str]:
    given = [part for value in argument(trace.request.args, "--include-directories") for part in value.split(",")]
    given += texts(last(layers, "context", "includeDirectories"))
    return [trace.cwd, *(resolve(trace.cwd, path.strip(), trace.home) for path in given if path.strip())]


def _upwards(box: Box, place: str, markers: list[str]) -> tuple[str, ...]:
    return down(nearest(box, place, markers) or place, place)


def _add(trace: Trace, path: str, when: When, why: str, *, flat: bool) -> None:
    if not trace.present(path) or trace.has(path) or not _new_inode(trace, path):
        return
    if trace.blank(path):
        trace.miss(path, "empty", "The file is blank.")
        return
    trace.load(path, why, when)
    top = _import_root(trace.box, path)

    def load(target: str, importer: str) -> None:
        if trace.loaded(target):
            trace.note(f"{trace.show(target)} arrives more than once: by itself and by import.")
        else:
            why = "Added after its importer (flat import format)." if flat else "Put in place of its import line."
            trace.load(target, why, when, imported_by=importer)

    if flat:
        imports.appended(trace, path, imports.gemini, top, _FLAT_HOPS, load)
    else:
        imports.inline(trace, path, imports.gemini, top, _HOPS, load)


def _new_inode(trace: Trace, path: str) -> bool:
    """Files are told apart by device and inode: one that arrived under another name counts once."""
    arrived: dict[Any, str] = trace.state
    first = arrived.setdefault(trace.box.identity(path), path)
    if first != path:
        trace.miss(path, "displaced", f"It is the same file as {trace.show(first)}, which counts once.", first)
    return first == path


def _import_root(box: Box, path: str) -> str:
    place = path.rpartition("/")[0] or "/"
    for above in ancestors(place):
        if box.is_dir(join(above, ".git")):
            return above
    return place


def _touched(
    trace: Trace, layers: list[Mapping[str, Any]], names: list[str], markers: list[str], workspaces: list[str]
) -> None:
    touched = trace.touched
    if touched is None or trace.target is None:
        return
    flat = last(layers, "context", "importFormat") == "flat"
    if not any(inside(touched, top) for top in workspaces):
        trace.note("The target lies outside the workspace: Gemini CLI refuses to read it, so it brings no file.")
        return
    top = nearest(trace.box, touched, markers) or touched
    by = _ignored_by(trace, layers, top)
    for place in _upwards(trace.box, touched, markers):
        for path in sorted(join(place, name) for name in names):
            if not by:
                why = "Between a boundary marker and the touched file, outer first."
                _add(trace, path, "lazy", why, flat=flat)
            elif trace.box.is_file(path) and not trace.loaded(path):
                trace.miss(path, "excluded", "The touched file is ignored, so Gemini CLI does not read it.", by)


def _ignored_by(trace: Trace, layers: list[Mapping[str, Any]], top: str) -> str | None:
    """The ignore file (or folder) because of which the target is not read."""
    path = relative(trace.target or "", top)
    if "node_modules" in path.split("/"):
        return "node_modules"
    for name, key in ((".gitignore", "respectGitIgnore"), (".geminiignore", "respectGeminiIgnore")):
        text = trace.box.text(join(top, name))
        if text and _on(last(layers, "context", "fileFiltering", key)) and ignored(text.splitlines(), path):
            return join(top, name)
    return None


def _on(value: Any) -> bool:
    """A switch that is on unless it is set to false."""
    return value is not False


def _exclude(trace: Trace, names: list[str]) -> None:
    for place in ancestors(trace.cwd):
        for name in names:
            if trace.box.is_file(join(place, name)):
                trace.miss(join(place, name), "excluded", "The folder is not trusted in Gemini CLI.")


PROFILE = Profile(
    id="gemini-cli",
    name="Gemini CLI",
    version="0.61.0",
    confidence="measured",
    names=(_NAME,),
    reach="it reads from the working directory up to the nearest boundary marker (`.git`), and towards a touched file.",
    rules=(
        Rule("`GEMINI.md`; `context.fileName` adds names; every name of a directory loads.", "measured"),
        Rule("The user's `~/.gemini` files first, then extensions, then the project's files sorted by their path.", "measured"),
        Rule("From each workspace directory up to the nearest boundary marker; without one, that directory alone.", "measured"),
        Rule("On touch: from the boundary down to the touched file's directory, outer first; nothing for ignored files.", "measured"),
        Rule("Imports are put in place, five in a row, inside the repository only; only backticks protect.", "measured"),
        Rule("A project's own settings count only in a trusted folder; a folder recorded as not trusted gives no file.", "measured"),
        Rule("Blank files are dropped; one file under two names counts once; links are followed; no limit seen.", "measured"),
    ),
    run=_load,
)  # fmt: skip
