"""Claude Code: CLAUDE.md from the file system's root down, rules with paths, AGENTS.md where no CLAUDE.md is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule
from waybook.agents.parts.claude_options import Options
from waybook.agents.parts.claude_sections import Sections
from waybook.agents.parts.settings import argument, switched_on
from waybook.agents.parts.trace import Trace
from waybook.agents.parts.walk import down, inside, join, resolve

if TYPE_CHECKING:
    from waybook.workspace.box import Box

_OWN = ("CLAUDE.md", ".claude/CLAUDE.md")
_LOCAL = "CLAUDE.local.md"
_AGENTS = ("AGENTS.md", ".claude/AGENTS.md")
MANAGED = "/etc/claude-code"
"""The machine-wide folder on Linux."""


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    if "--bare" in request.args or switched_on(request.env.get("CLAUDE_CODE_DISABLE_CLAUDE_MDS")):
        trace.note("Started so that no CLAUDE.md loads (--bare or CLAUDE_CODE_DISABLE_CLAUDE_MDS).")
        return trace.loading()
    options = Options.read(trace)
    sections = Sections(trace, options)
    _start(trace, options, sections)
    _touch(trace, options, sections)
    return trace.loading()


def _start(trace: Trace, options: Options, sections: Sections) -> None:
    sections.file(join(MANAGED, "CLAUDE.md"), "managed", "The machine's own file.")
    sections.rules(join(MANAGED, ".claude/rules"), "managed")
    if options.instruction_files == "managed-only":
        trace.note("instructionFiles is managed-only: nothing else loads at the start.")
        return
    if options.user:
        sections.file(join(options.user_home, "CLAUDE.md"), "user", "The user's own file.")
        sections.rules(join(options.user_home, "rules"), "user")
    places = down("/", trace.cwd)
    claude = [found for place in places if (found := _directory(trace, options, sections, place))]
    if options.instruction_files == "claude-md-or-agents-md" and options.project:
        for place in places:
            _agents_files(trace, sections, place, claude[0] if claude else None)
    if switched_on(trace.request.env.get("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD")):
        for given in argument(trace.request.args, "--add-dir"):
            place = resolve(trace.cwd, given, trace.home)
            _directory(trace, options, sections, place, agents=False)
    sections.displaced_by = claude[0] if claude else None


def _directory(trace: Trace, options: Options, sections: Sections, place: str, *, agents: bool = True) -> str | None:
    """One directory at the start; gives its first CLAUDE file with text, which displaces every AGENTS.md."""
    found: list[str] = []
    why = "A directory from the file system's root down to the working directory."
    if options.project:
        found += [path for name in _OWN if sections.file(path := join(place, name), "project", why)]
        sections.rules(join(place, ".claude/rules"), "project")
    if options.local and sections.file(join(place, _LOCAL), "project", why):
        found.append(join(place, _LOCAL))
    if agents and options.project and options.instruction_files == "claude-md-and-agents-md":
        for name in _AGENTS:
            path = join(place, name)
            if first := sections.same_text(path):
                trace.miss(path, "displaced", f"Its text is the same as that of {trace.show(first)}.", first)
            else:
                sections.file(path, "project", "AGENTS files count beside CLAUDE files by the user's setting.")
    return found[0] if found else None


def _agents_files(trace: Trace, sections: Sections, place: str, displaced_by: str | None) -> None:
    for name in _AGENTS:
        path = join(place, name)
        if not displaced_by:
            sections.file(path, "project", "No CLAUDE.md with text is in the working directory or above it.")
        elif trace.present(path) and not trace.loaded(path):
            why = f"{trace.show(displaced_by)} displaces every AGENTS.md of the project."
            trace.miss(path, "displaced", why, displaced_by)


def _touch(trace: Trace, options: Options, sections: Sections) -> None:
    """What reading or writing a file below the working directory brings, outer directories first."""
    touched = trace.touched
    if touched is None or not inside(touched, trace.cwd):
        sections.give_up()
        return
    sections.stage = "lazy"
    below = down(trace.cwd, touched)[1:]
    why = "A directory between the working one and the touched file, outer first."
    for place in below:
        _lazy_agents(trace, options, sections, place)
    for place in below:
        if options.project:
            for name in _OWN:
                sections.file(join(place, name), "project", why)
        if options.local:
            sections.file(join(place, _LOCAL), "project", why)
        if options.project and options.instruction_files != "managed-only":
            sections.rules(join(place, ".claude/rules"), "project")
    sections.conditional()


def _lazy_agents(trace: Trace, options: Options, sections: Sections, place: str) -> None:
    own = next((path for name in (*_OWN, _LOCAL) if sections.has_text(path := join(place, name))), None)
    both = options.instruction_files == "claude-md-and-agents-md"
    if not options.project or options.instruction_files not in {"claude-md-or-agents-md", "claude-md-and-agents-md"}:
        return
    for name in _AGENTS:
        path = join(place, name)
        blame = sections.displaced_by or own
        if both or not blame:
            sections.file(path, "project", "A directory of the touched file without a CLAUDE.md of its own.")
        elif trace.present(path) and not trace.loaded(path):
            trace.miss(path, "displaced", f"{trace.show(blame)} displaces it.", blame)


PROFILE = Profile(
    id="claude-code",
    name="Claude Code",
    version="2.1.332",
    confidence="measured",
    names=(*_OWN, _LOCAL, *_AGENTS),
    reach="it reads from the file system's root down to the working directory, and below that towards a touched file.",
    rules=(
        Rule("The machine's file, the user's file and rules, then every directory from `/` to the working one, past the git root.", "measured"),
        Rule("Per directory `CLAUDE.md`, `.claude/CLAUDE.md`, `.claude/rules/**/*.md`, `CLAUDE.local.md`; all are kept.", "measured"),
        Rule("`AGENTS.md` and `.claude/AGENTS.md` only if no CLAUDE file with text is in the working directory or above.", "measured"),
        Rule("On touch below the working directory: the same for each directory on the way; a CLAUDE file beats its AGENTS.md.", "measured"),
        Rule("A rule with `paths` waits for a touched file; patterns are those of `.gitignore`, case does not count.", "measured"),
        Rule("Order inside a rules folder is the file system's. Only `.md`; broken YAML drops a rule.", "measured"),
        Rule("Imports follow their importer as sections of their own, four in a row; those from outside need approval.", "measured"),
        Rule("`claudeMdExcludes` takes absolute globs from user, project and local settings.", "measured"),
        Rule("Files above 4 MiB are dropped; a touched file is cut at 150,000 characters (older models: 40,000).", "measured"),
        Rule("Front matter and block comments are removed; a file of comments only is as empty.", "measured"),
    ),
    run=_load,
)  # fmt: skip
