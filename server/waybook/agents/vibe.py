"""Mistral Vibe: AGENTS.md from the trusted directory down to the working directory, and on touch below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule, When
from waybook.agents.parts.settings import texts, toml
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import ancestors, down, inside, join

if TYPE_CHECKING:
    from waybook.workspace.box import Box

_NAME = "AGENTS.md"


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    vibe_home = request.env.get("VIBE_HOME") or join(trace.home, ".vibe")
    _add(trace, vibe_home, "start", "The user's own file.")
    top = _trusted_top(trace, vibe_home)
    if top is None:
        trace.note("The folder is not trusted: only the user's own file loads.")
        for place in down("/", trace.cwd):
            if box.is_file(join(place, _NAME)):
                trace.miss(join(place, _NAME), "excluded", "The folder is not trusted in Vibe.")
        return trace.loading()
    for place in down(top, trace.cwd):
        _add(trace, place, "start", "A directory from the trusted one down to the working directory.")
    if trace.touched and inside(trace.touched, trace.cwd):
        for place in down(trace.cwd, trace.touched)[1:]:
            _add(trace, place, "lazy", "A directory between the working one and the touched file, outer first.")
    return trace.loading()


def _trusted_top(trace: Trace, vibe_home: str) -> str | None:
    """The directory that loading starts from: the outermost trusted one, the nearest decision first."""
    if trace.cwd == trace.home:
        return None
    if trace.request.settings.get("trusted") is not None:
        return trace.cwd if trace.request.settings["trusted"] else None
    listed = toml(trace.box, join(vibe_home, "trusted_folders.toml"))
    trusted, untrusted = texts(listed.get("trusted")), texts(listed.get("untrusted"))
    for place in ancestors(trace.cwd):
        if place in untrusted:
            return None
        if place in trusted:
            return place
    trace.note("No trust is recorded for this folder: the answer takes it as trusted for this session (--trust).")
    return trace.cwd


def _add(trace: Trace, place: str, when: When, why: str) -> None:
    path = join(place, _NAME)
    if not trace.present(path) or trace.has(path):
        return
    data = trace.box.read(path) or b""
    if not data.decode("utf-8", "ignore").strip():
        trace.miss(path, "empty", "The file is blank.")
        return
    whole = _is_utf8(data) or data[:2] in {b"\xff\xfe", b"\xfe\xff"}
    tail = (
        "" if whole else " It is not UTF-8: Vibe guesses an encoding, and characters may arrive changed or not at all."
    )
    trace.load(path, why + tail, when, complete=whole, decoded=True)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end == len(data) and error.reason == "unexpected end of data"
    return True


PROFILE = Profile(
    id="vibe",
    name="Mistral Vibe",
    version="3.0.2",
    confidence="measured",
    names=(_NAME,),
    reach="it reads from the trusted directory down to the working directory, and below that towards a touched file.",
    rules=(
        Rule("Only `AGENTS.md`; from the trusted directory down to the working one (`--trust`: the working one alone).", "measured"),
        Rule("In a folder that is not trusted, and in the home itself, only `~/.vibe/AGENTS.md` loads.", "measured"),
        Rule("On touch below the working directory: every directory's file on the way, outer first.", "measured"),
        Rule("What is not UTF-8 is decoded by a guess; the text is trimmed; CRLF becomes LF.", "measured"),
    ),
    run=_load,
)  # fmt: skip
