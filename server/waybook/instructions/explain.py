"""Plain answers about a snapshot: why each source applies, how the chain reads, what does not apply and why."""

from __future__ import annotations

from dataclasses import dataclass

from waybook.instructions import protocol
from waybook.instructions.model import Ignored, Kind, Snapshot, Source

_NAMES = {
    Kind.AGENTS: "agent instructions",
    Kind.CLAUDE: "Claude instructions",
    Kind.PRAYU_INSTRUCTIONS: "project instructions",
    Kind.PRAYU_RULE: "a project rule",
}


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """One source in words. `position` counts from 1 in reading order; `why` is a sentence."""

    path: str
    position: int
    kind: str
    reach: str
    why: str
    redacted: bool


@dataclass(frozen=True, slots=True)
class IgnoredAnswer:
    """A file that does not apply. `cause`: `control-file`, `ignored`, `overridden`, `blank-override`."""

    path: str
    cause: str
    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A target's instructions in words; `chain` is one line, `order` says who prevails."""

    target: str
    summary: str
    chain: str
    order: str
    sources: tuple[SourceAnswer, ...]
    ignored: tuple[IgnoredAnswer, ...]


def explain(snapshot: Snapshot) -> Answer:
    """What applies to the snapshot's target, and why, in words for people."""
    target = snapshot.target_path
    count = len(snapshot.sources)
    shown = "the workspace root" if target == "." else target
    files = "1 instruction file applies" if count == 1 else f"{count or 'No'} instruction files apply"
    return Answer(
        target=target,
        summary=f"{files} to {shown}.",
        chain=" → ".join(source.path for source in snapshot.sources),
        order=_order(snapshot),
        sources=tuple(explain_source(source, snapshot) for source in snapshot.sources),
        ignored=tuple(explain_ignored(item) for item in snapshot.ignored),
    )


def explain_source(source: Source, snapshot: Snapshot) -> SourceAnswer:
    """Why this source of the snapshot applies to its target."""
    return SourceAnswer(
        path=source.path,
        position=source.ordinal,
        kind=_NAMES[source.kind],
        reach=f"everything in {source.scope}/" if source.scope else "everything in the workspace",
        why=_why(source, snapshot),
        redacted=source.redacted,
    )


def _why(source: Source, snapshot: Snapshot) -> str:
    target = snapshot.target_path
    below = "the target" if target == "." else target
    place = f"the directory {source.scope}" if source.scope else "the workspace root"
    if source.scope == target or (target == "." and not source.scope):
        text = f"It stands in {place} itself."
    else:
        text = f"It stands in {place}, and {below} lies below it."
    if len(snapshot.sources) == 1:
        return f"{text} No other file applies."
    nearest = snapshot.sources[-1].scope
    if source.scope == nearest and source.ordinal == len(snapshot.sources):
        return f"{text} It is the nearest and is read last: where texts disagree, this one prevails."
    if source.scope == nearest:
        return f"{text} It belongs to the nearest directory; files read after it prevail where texts disagree."
    return f"{text} It is read before nearer files, which prevail where texts disagree."


def _order(snapshot: Snapshot) -> str:
    if not snapshot.sources[1:]:
        return ""
    last = snapshot.sources[-1]
    near = f"the nearest directory, {last.scope}" if last.scope else "the workspace root"
    return f"Read from the root towards the target; the last, {last.path} in {near}, prevails where they disagree."


def explain_ignored(item: Ignored) -> IgnoredAnswer:
    """Why a candidate does not apply."""
    if item.reason == protocol.REASON_CONTROL_FILE:
        why = "It tells which files to leave out; it is never delivered itself."
        return IgnoredAnswer(item.path, "control-file", why)
    if item.reason == protocol.REASON_MATCHED:
        return IgnoredAnswer(item.path, "ignored", f"A pattern in {protocol.IGNORE_FILE} leaves it out.")
    if item.reason == protocol.REASON_BLANK_OVERRIDE:
        why = "It holds no text, so it overrides nothing: AGENTS.md beside it counts, where there is one."
        return IgnoredAnswer(item.path, "blank-override", why)
    folder = item.path.rpartition("/")[0]
    override = f"{folder}/{protocol.OVERRIDE.name}" if folder else protocol.OVERRIDE.name
    if item.reason == protocol.reason_overridden(override):
        return IgnoredAnswer(item.path, "overridden", f"{override} in the same directory takes its place.")
    return IgnoredAnswer(item.path, "other", item.reason)
