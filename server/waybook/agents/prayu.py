"""Prayu/Traverse Board: the `.prayu` profile, told in the form of every other agent's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents.model import Loaded, Loading, NotLoaded, Profile, Reason, Request, Rule
from waybook.agents.parts.known import on_the_way
from waybook.base.errors import DiscoveryError
from waybook.instructions import protocol
from waybook.instructions.discover import discover
from waybook.instructions.explain import explain_ignored
from waybook.workspace.guard import Guard

if TYPE_CHECKING:
    from waybook.instructions.model import Snapshot
    from waybook.workspace.box import Box

_REASONS: dict[str, Reason] = {
    "control-file": "excluded",
    "ignored": "excluded",
    "overridden": "shadowed",
    "blank-override": "empty",
}
_CAUSES: dict[str, Reason] = {
    "symlink": "link",
    "empty": "empty",
    "too-large": "over_budget",
    "total-too-large": "over_budget",
}


def _load(request: Request, box: Box) -> Loading:
    target = request.target or request.workspace
    top = request.workspace.rstrip("/")
    if target != request.workspace and not target.startswith(f"{top}/"):
        return _answer((), (), f"The target {target} lies outside the workspace: Prayu refuses it.")
    try:
        with Guard(box.host(request.workspace)) as guard:
            snapshot = discover(guard, target[len(top) + 1 :], "")
    except DiscoveryError as error:
        return _answer((), _refused(request, box, error), f"Refused as a whole: {error.message}")
    return _answer(_chain(snapshot, top), _ignored(snapshot, top, box))


def _refused(request: Request, box: Box, error: DiscoveryError) -> tuple[NotLoaded, ...]:
    """Every file on the way that would have been read: one refusal loses them all."""
    reason: Reason = _CAUSES.get(error.code, "excluded")
    target = request.target or request.workspace
    bottom = target if box.is_dir(target) else target.rpartition("/")[0] or "/"
    found = []
    for place, name in on_the_way(box, request.workspace, bottom):
        path = f"{place.rstrip('/')}/{name}"
        if name in PROFILE.names:
            shown = path.removeprefix(f"{request.workspace.rstrip('/')}/")
            why = error.message if shown == error.path else f"The whole list is refused because of {error.path}."
            found.append(NotLoaded(shown, path, reason, error.path, why))
    return tuple(found)


def _chain(snapshot: Snapshot, top: str) -> tuple[Loaded, ...]:
    return tuple(
        Loaded(
            path=source.path,
            abs_path=f"{top}/{source.path}",
            when="start",
            complete=not source.redacted,
            bytes=source.raw_bytes,
            cut_at=None,
            imported_by=None,
            why=f"{source.why_effective}.",
        )
        for source in snapshot.sources
    )


def _ignored(snapshot: Snapshot, top: str, box: Box) -> tuple[NotLoaded, ...]:
    """Ignored candidates that exist; the protocol also records absent ones."""
    found = []
    for item in snapshot.ignored:
        answer = explain_ignored(item)
        if answer.cause == "control-file" or not box.kind(f"{top}/{item.path}"):
            continue
        by = protocol.IGNORE_FILE if answer.cause == "ignored" else None
        if answer.cause == "overridden":
            by = item.reason.removeprefix("overridden by ")
        found.append(NotLoaded(item.path, f"{top}/{item.path}", _REASONS[answer.cause], by, answer.why))
    return tuple(found)


def _answer(chain: tuple[Loaded, ...], not_loaded: tuple[NotLoaded, ...], *notes: str) -> Loading:
    return Loading(PROFILE.id, PROFILE.version, PROFILE.confidence, chain, not_loaded, notes)


PROFILE = Profile(
    id="prayu",
    name="Prayu / Traverse Board",
    version="snapshot v1",
    confidence="measured",
    names=("AGENTS.override.md", "AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", ".prayu/instructions.md"),
    reach="from the workspace root to the target's directory.",
    rules=(
        Rule(
            "From the workspace root to the target's directory, in each: AGENTS.override.md or AGENTS.md, CLAUDE.md, .claude/CLAUDE.md, .prayu/instructions.md, .prayu/rules/**/*.md.",
            "measured",
        ),
        Rule("Any link, special file, empty file or limit passed refuses the whole list.", "measured"),
        Rule(".prayu/instructions.ignore hides files, each with its reason.", "measured"),
        Rule("Secrets are replaced before the text is delivered.", "measured"),
    ),
    run=_load,
)
