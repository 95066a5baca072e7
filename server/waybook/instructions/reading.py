"""What one directory contributes: its sources and its ignored candidates, read once per pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from waybook.base.canonical import sha256_hex
from waybook.base.errors import DiscoveryError
from waybook.instructions import protocol
from waybook.instructions.ignore import IgnoreRules, parse_ignore
from waybook.instructions.model import Ignored, Kind
from waybook.instructions.normalise import decode, normalise
from waybook.instructions.protocol import Candidate
from waybook.instructions.redaction import redact
from waybook.instructions.rules import rule_paths
from waybook.workspace import refusals
from waybook.workspace.paths import join

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.workspace.guard import Guard

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class ReadSource:
    """A file's text as it will be delivered, before it has a place in a target's chain."""

    path: str
    kind: Kind
    kind_order: int
    content: str
    content_sha256: str
    content_bytes: int
    redacted: bool
    raw_bytes: int


@dataclass(slots=True)
class ScopeReading:
    """One directory's sources and ignored candidates, each in reading order."""

    scope: str
    sources: list[ReadSource] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)


def read_ignore_rules(guard: Guard) -> IgnoreRules:
    """The workspace's ignore file, remembered for the pass."""
    known: IgnoreRules | DiscoveryError | None = guard.memo.get("ignore-rules")
    if known is None:
        known = _remember(guard, "ignore-rules", lambda: _load_ignore_rules(guard))
    return _answer(known)


def _load_ignore_rules(guard: Guard) -> IgnoreRules:
    folder, _, name = protocol.IGNORE_FILE.partition("/")
    raw = guard.read(folder, name, protocol.MAX_IGNORE_BYTES) if guard.has_folder("", folder) else None
    if raw is None:
        return IgnoreRules()
    return IgnoreRules(parse_ignore(decode(raw, protocol.IGNORE_FILE)), present=True)


def read_scope(guard: Guard, scope: str) -> ScopeReading:
    """What the directory `scope` ("" is the root) contributes, remembered for the pass; so is its refusal."""
    key = ("scope", scope)
    known: ScopeReading | DiscoveryError | None = guard.memo.get(key)
    if known is None:
        rules = read_ignore_rules(guard)
        known = _remember(guard, key, lambda: _read_scope(guard, scope, rules))
    return _answer(known)


def _remember(guard: Guard, key: object, load: Callable[[], _T]) -> _T | DiscoveryError:
    known: _T | DiscoveryError
    try:
        known = load()
    except DiscoveryError as error:
        known = error
    guard.memo[key] = known
    return known


def _answer(known: _T | DiscoveryError) -> _T:
    if isinstance(known, DiscoveryError):
        raise known.with_traceback(None)
    return known


def _read_scope(guard: Guard, scope: str, rules: IgnoreRules) -> ScopeReading:
    reading = ScopeReading(scope)
    if not scope and rules.present:
        reading.ignored.append(Ignored(protocol.IGNORE_FILE, protocol.REASON_CONTROL_FILE))
    _read_agents(guard, reading, rules)
    folders = {"": True, ".claude": guard.has_folder(scope, ".claude"), ".prayu": guard.has_folder(scope, ".prayu")}
    for candidate in protocol.SINGLE_FILES:
        here = folders[candidate.folder]
        path = join(scope, candidate.path)
        if rules.patterns and rules.match(path):
            if candidate.recorded or (here and _present(guard, scope, candidate)):
                reading.ignored.append(Ignored(path, protocol.REASON_MATCHED))
        elif here:
            source = _read(guard, scope, candidate, path)
            if source is not None:
                reading.sources.append(_not_blank(source))
    if folders[protocol.RULES_PARENT]:
        _read_rules(guard, reading, rules)
    return reading


def _present(guard: Guard, scope: str, candidate: Candidate) -> bool:
    folder = join(scope, candidate.folder) if candidate.folder else scope
    return guard.kind(folder, candidate.name) != "missing"


def _read_agents(guard: Guard, reading: ScopeReading, rules: IgnoreRules) -> None:
    """The override where it counts, else `AGENTS.md`; what gives way is recorded with its reason."""
    scope = reading.scope
    override_path, agents_path = join(scope, protocol.OVERRIDE.name), join(scope, protocol.AGENTS.name)
    override: ReadSource | None = None
    if rules.patterns and rules.match(override_path):
        if _present(guard, scope, protocol.OVERRIDE):
            reading.ignored.append(Ignored(override_path, protocol.REASON_MATCHED))
    else:
        override = _read(guard, scope, protocol.OVERRIDE, override_path)
        if override is not None and not override.content:
            reading.ignored.append(Ignored(override_path, protocol.REASON_BLANK_OVERRIDE))
            override = None
    if rules.patterns and rules.match(agents_path):
        reading.ignored.append(Ignored(agents_path, protocol.REASON_MATCHED))
    elif override is None:
        agents = _read(guard, scope, protocol.AGENTS, agents_path)
        if agents is not None:
            reading.sources.append(_not_blank(agents))
    elif _present(guard, scope, protocol.AGENTS):
        reading.ignored.append(Ignored(agents_path, protocol.reason_overridden(override_path)))
    if override is not None:
        reading.sources.append(override)


def _read_rules(guard: Guard, reading: ScopeReading, rules: IgnoreRules) -> None:
    parent = join(reading.scope, protocol.RULES_PARENT)
    if not guard.has_folder(parent, protocol.RULES_FOLDER):
        return
    applying: list[str] = []
    for path in rule_paths(guard, join(parent, protocol.RULES_FOLDER)):
        if rules.patterns and rules.match(path):
            reading.ignored.append(Ignored(path, protocol.REASON_MATCHED))
        else:
            applying.append(path)
    check_count(len(reading.sources) + len(applying), applying[-1] if applying else parent)
    for index, path in enumerate(applying):
        folder, _, name = path.rpartition("/")
        candidate = Candidate(Kind.PRAYU_RULE, name, folder, protocol.RULE_KIND_ORDER + index, recorded=True)
        source = _read(guard, "", candidate, path)
        if source is None:
            raise refusals.changed(path)
        reading.sources.append(_not_blank(source))


def _read(guard: Guard, scope: str, candidate: Candidate, path: str) -> ReadSource | None:
    """The candidate's text, None when it is missing; a blank text comes back as ""."""
    folder = candidate.folder
    raw = guard.read(join(scope, folder) if folder else scope, candidate.name, protocol.MAX_FILE_BYTES)
    if raw is None:
        return None
    try:
        content, sha256, size, redacted = _deliverable(raw)
    except ValueError:
        decode(raw, path)
        raise
    return ReadSource(path, candidate.kind, candidate.kind_order, content, sha256, size, redacted, len(raw))


@lru_cache(maxsize=128)
def _deliverable(raw: bytes) -> tuple[str, str, int, bool]:
    """Text, digest, size in bytes and "was redacted" of a file's bytes; `ValueError` when they are no text.

    The same bytes come again on every request of a session, and the answer depends on nothing else.
    """
    if b"\0" in raw:
        raise ValueError("NUL")
    content, redacted = redact(normalise(raw.decode("utf-8")))
    encoded = content.encode("utf-8")
    return content, sha256_hex(encoded), len(encoded), redacted


def _not_blank(source: ReadSource) -> ReadSource:
    if source.content:
        return source
    found = "empty" if not source.raw_bytes else f"blank ({source.raw_bytes:,} bytes of white space)"
    msg = (
        f"{source.path} is {found}; an instruction file needs between 1 and {protocol.MAX_FILE_BYTES:,} bytes of text."
    )
    raise DiscoveryError(
        msg,
        code="empty",
        path=source.path,
        limit=protocol.MAX_FILE_BYTES,
        hint="Write the instructions, or delete the file.",
        found=source.raw_bytes,
    )


def check_count(count: int, path: str) -> None:
    """Refuse more than 64 sources; `path` is the file that passes the limit."""
    if count > protocol.MAX_FILES:
        msg = (
            f"{count} instruction files apply, {path} among them; at most {protocol.MAX_FILES} are allowed. "
            "The list is refused rather than cut."
        )
        raise DiscoveryError(
            msg,
            code="too-many-files",
            path=path,
            limit=protocol.MAX_FILES,
            hint=f"Merge files, or leave some out in {protocol.IGNORE_FILE}.",
            found=count,
        )
