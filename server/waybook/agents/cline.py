"""Cline: rule files of the working directory and the home, one for each name, in the order of their names."""

from __future__ import annotations

from posixpath import basename, splitext
from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule
from waybook.agents.parts.frontmatter import parse
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import join

if TYPE_CHECKING:
    from waybook.workspace.box import Box

_ENDS = {".md", ".markdown", ".txt"}
_PUNCTUATION = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
"""Signs in the order of the root collation; they come before digits and letters."""


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    home = trace.home
    sources = [
        *_agents_file(trace, join(home, ".agents/AGENTS.md"), "Global AGENTS.md"),
        *_agents_file(trace, join(trace.cwd, "AGENTS.md"), "Workspace AGENTS.md"),
    ]
    for folder in (
        join(trace.cwd, ".clinerules"),
        join(trace.cwd, ".cline/rules"),
        join(home, ".cline/rules"),
        join(home, "Cline/Rules"),
        join(home, "Documents/Cline/Rules"),
    ):
        sources += _folder(trace, folder)
    chosen: dict[str, tuple[str, str]] = {}
    for name, path in sources:
        earlier = chosen.get(name.strip().lower())
        if earlier:
            trace.miss(earlier[1], "displaced", f"{trace.show(path)} has the same rule name and wins.", path)
        chosen[name.strip().lower()] = (name, path)
    for name, path in sorted(chosen.values(), key=lambda item: collation_key(item[0])):
        trace.load(path, f"The rule named {name!r} of the working directory or the home, in the order of names.")
    return trace.loading()


def _agents_file(trace: Trace, path: str, name: str) -> list[tuple[str, str]]:
    return _rule(trace, path, name) if trace.present(path) else []


def _folder(trace: Trace, folder: str) -> list[tuple[str, str]]:
    """The rules directly in a folder, or of the one file in its place."""
    if trace.box.is_file(folder):
        return _rule(trace, folder, splitext(basename(folder))[0])
    found: list[tuple[str, str]] = []
    for name, kind in sorted(trace.box.entries(folder).items()):
        path = join(folder, name)
        if splitext(name)[1].lower() not in _ENDS:
            continue
        if kind == "link":
            trace.miss(path, "link", "Links inside a rules folder are not followed.")
        elif kind == "file":
            found += _rule(trace, path, splitext(name)[0])
    return found


def _rule(trace: Trace, path: str, name: str) -> list[tuple[str, str]]:
    text = trace.text(path)
    front = parse(text)
    data = front.data
    if front.error:
        trace.miss(path, "excluded", f"Its front matter cannot be read: {front.error}.")
    elif not text[front.end :].strip():
        trace.miss(path, "empty", "There is no text in it.")
    elif any(data.get(key) is not None and not isinstance(data[key], bool) for key in ("disabled", "enabled")):
        trace.miss(path, "excluded", "`disabled` and `enabled` in its front matter have to be true or false.")
    elif data.get("name") is not None and not isinstance(data["name"], str):
        trace.miss(path, "excluded", "`name` in its front matter has to be a text.")
    elif data.get("disabled") is True or (data.get("disabled") is None and data.get("enabled") is False):
        trace.miss(path, "excluded", "Its front matter switches it off.")
    else:
        if "paths" in data:
            trace.note("The command line of Cline does not apply `paths`: every rule loads.")
        given = data.get("name")
        return [(given.strip() if isinstance(given, str) and given.strip() else name, path)]
    return []


def collation_key(name: str) -> tuple[list[tuple[int, int, str]], list[bool]]:
    """Names in a reader's order: signs, digits, letters without regard to case, and lower before upper case."""
    return [_weight(char) for char in name.casefold()], [char.isupper() for char in name]


def _weight(char: str) -> tuple[int, int, str]:
    if char.isspace():
        return 0, 0, char
    if char.isdigit():
        return 2, 0, char
    if char.isalpha():
        return 3, 0, char
    return 1, _PUNCTUATION.find(char) % 100, char


PROFILE = Profile(
    id="cline",
    name="Cline",
    version="3.0.65",
    confidence="measured",
    names=("AGENTS.md", ".clinerules"),
    reach="it reads the working directory and the home only: nothing above, nothing below.",
    rules=(
        Rule("Only the working directory: `AGENTS.md`, `.clinerules` (a file, or the files in that folder), `.cline/rules`.", "measured"),
        Rule("The home: `~/.agents/AGENTS.md`, `~/.cline/rules`, `~/Cline/Rules`, `~/Documents/Cline/Rules`.", "measured"),
        Rule("`.md` in any case, `.markdown` and `.txt`, also hidden ones; no subfolders; no links inside a folder.", "measured"),
        Rule("One rule for each name: Documents beats `~/.cline/rules`, that beats `.cline/rules`, that beats `.clinerules`.", "measured"),
        Rule("Sorted by name. Front matter may name a rule or switch it off; broken YAML drops it; `paths` is not applied.", "measured"),
    ),
    run=_load,
)  # fmt: skip
