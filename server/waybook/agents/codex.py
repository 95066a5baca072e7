"""OpenAI Codex CLI: one file a directory from the project root down to the working directory, within a byte budget."""

from __future__ import annotations

from posixpath import normpath
from typing import TYPE_CHECKING, Any

from waybook.agents.model import Loading, Profile, Request, Rule
from waybook.agents.parts.settings import argument, last, texts, toml, toml_text
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import down, join, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waybook.workspace.box import Box

DEFAULT_BUDGET = 32_768
"""Bytes of project files in all (`project_doc_max_bytes`; Codex 0.171.0, measured)."""


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box, cwd=_changed_directory(request))
    codex_home = request.env.get("CODEX_HOME") or join(trace.home, ".codex")
    layers = [toml(box, "/etc/codex/config.toml"), toml(box, join(codex_home, "config.toml"))]
    _global_file(trace, codex_home)
    overrides = _overrides(request)
    markers = last([*layers, *overrides], "project_root_markers")
    root = nearest(box, trace.cwd, [".git"] if markers is None else texts(markers)) or trace.cwd
    trust = _trust([*layers, *overrides], trace.cwd, root, request)
    places = down(root, trace.cwd)
    if trust == "untrusted":
        trace.note("The project is untrusted in Codex's settings: only the files of the Codex home load.")
        for place in places:
            _exclude(trace, place)
        return trace.loading()
    if trust == "trusted":
        layers += [toml(box, join(place, ".codex/config.toml")) for place in places]
    _project_files(trace, places, [*layers, *overrides])
    return trace.loading()


def _changed_directory(request: Request) -> str | None:
    given = argument(request.args, "-C", "--cd")
    return given[-1] if given else None


def _overrides(request: Request) -> list[Mapping[str, Any]]:
    """One table for each `-c key=value`, the value read as TOML."""
    return [toml_text(given) for given in argument(request.args, "-c", "--config") if "=" in given]


def _trust(layers: list[Mapping[str, Any]], cwd: str, root: str, request: Request) -> str | None:
    if request.settings.get("trusted") is not None:
        return "trusted" if request.settings["trusted"] else "untrusted"
    for place in (cwd, root):
        level = last(layers, "projects", place, "trust_level")
        if level in {"trusted", "untrusted"}:
            return str(level)
    return None


def _global_file(trace: Trace, codex_home: str) -> None:
    shadow = None
    for name in ("AGENTS.override.md", "AGENTS.md"):
        path = join(normpath(codex_home), name)
        if not trace.present(path):
            continue
        if shadow:
            trace.miss(path, "shadowed", f"{trace.show(shadow)} takes the one place for the user's file.", shadow)
        elif trace.blank(path):
            trace.miss(path, "empty", "A blank file gives nothing; in the Codex home the next name is tried.")
        else:
            trace.load(path, "The user's own file, from the Codex home; it costs nothing of the budget.")
            shadow = path


def _project_files(trace: Trace, places: tuple[str, ...], layers: list[Mapping[str, Any]]) -> None:
    names = _names(last(layers, "project_doc_fallback_filenames"))
    given = last(layers, "project_doc_max_bytes")
    budget = left = given if isinstance(given, int) and given >= 0 else DEFAULT_BUDGET
    for place in places:
        path = _slot(trace, place, names)
        if path is None:
            continue
        data = (trace.box.read(path) or b"")[:left]
        if left == 0:
            trace.miss(path, "over_budget", f"The budget of {budget:,} bytes is spent before this file is reached.")
        elif not data.decode("utf-8", "replace").strip():
            trace.miss(path, "empty", "The file is blank, yet it keeps its directory's place.")
        else:
            cut = left if trace.box.size(path) > left else None
            trace.load(path, _why(trace, place, budget, cut), cut_at=cut)
            left -= len(data)


def _why(trace: Trace, place: str, budget: int, cut: int | None) -> str:
    where = "the working directory" if place == trace.cwd else "a directory from the project root to the working one"
    tail = "" if cut is None else f" Cut after {cut:,} bytes: the project's budget of {budget:,} bytes ends here."
    return f"The one file of {where}.{tail}"


def _names(fallbacks: Any) -> list[str]:
    names = ["AGENTS.override.md", "AGENTS.md"]
    for name in texts(fallbacks):
        if name and name not in names and name != ".." and "/" not in name and "\\" not in name:
            names.append(name)
    return names


def _slot(trace: Trace, place: str, names: list[str]) -> str | None:
    """The first existing file of a directory: existence decides, not content."""
    taken: str | None = None
    for name in names:
        path = join(place, name)
        if not trace.present(path):
            continue
        if taken is None:
            taken = path
        else:
            trace.miss(path, "shadowed", f"{trace.show(taken)} takes the one place of this directory.", taken)
    return taken


def _exclude(trace: Trace, place: str) -> None:
    for name in PROFILE.names:
        if trace.box.is_file(join(place, name)):
            trace.miss(join(place, name), "excluded", "The project is untrusted in Codex's settings.")


PROFILE = Profile(
    id="codex",
    name="Codex",
    version="0.171.0",
    confidence="measured",
    names=("AGENTS.override.md", "AGENTS.md"),
    reach="it reads from the project root down to the working directory; the touched file plays no part.",
    rules=(
        Rule("The project root is the nearest directory upwards with a root marker (`.git` unless set otherwise).", "measured"),
        Rule("One file for each directory from the root to the working directory; nothing above, nothing below.", "measured"),
        Rule("`AGENTS.override.md`, then `AGENTS.md`, then the fallback names: the first that exists, even a blank one.", "measured"),
        Rule("The Codex home's `AGENTS.override.md` or `AGENTS.md`: the first that is not blank, outside the budget.", "measured"),
        Rule("32,768 bytes for all project files, counted from the root: the nearest files are lost first.", "measured"),
        Rule("Links are followed anywhere; the same file reached twice is sent twice. No imports, no front matter.", "measured"),
        Rule("An untrusted project gives no file; only a trusted one may change names and budget in `.codex/config.toml`.", "measured"),
    ),
    run=_load,
)  # fmt: skip
