"""Discovery: from a target to the snapshot of everything that applies to it, or one error; never a partial list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.base.clock import timestamp
from waybook.base.errors import DiscoveryError
from waybook.instructions import protocol
from waybook.instructions.model import Ignored, Snapshot, Source
from waybook.instructions.reading import ReadSource, check_count, read_scope
from waybook.instructions.snapshot import make_snapshot
from waybook.instructions.wording import why_effective
from waybook.workspace import refusals
from waybook.workspace.paths import clean_target

if TYPE_CHECKING:
    from datetime import datetime

    from waybook.workspace.guard import Guard


def discover(guard: Guard, target: str, now: datetime | str) -> Snapshot:
    """The snapshot of what applies to `target` (workspace-relative; "" or "." is the root), read through `guard`.

    The target may be a directory, a file, or a file that does not exist yet in a directory that does. `now` becomes
    `loaded_at` (a text is taken as it is). Raises `DiscoveryError`: the discovery of this target is refused as a whole.
    """
    cleaned = clean_target(target)
    scopes = scopes_of(guard, cleaned)
    loaded_at = now if isinstance(now, str) else timestamp(now)
    sources: list[Source] = []
    ignored: list[Ignored] = []
    total = 0
    over = ""
    for depth, scope in enumerate(scopes):
        reading = read_scope(guard, scope)
        ignored += reading.ignored
        for item in reading.sources:
            check_count(len(sources) + 1, item.path)
            total += item.content_bytes
            if total > protocol.MAX_TOTAL_BYTES and not over:
                over = item.path
            before = sources[-1].precedence if sources else 0
            sources.append(_place(item, scope, depth, before, len(sources) + 1, cleaned, loaded_at))
    if over:
        raise _total_too_large(cleaned, total, over)
    return make_snapshot(cleaned, tuple(sources), tuple(ignored), loaded_at)


def scopes_of(guard: Guard, target: str) -> tuple[str, ...]:
    """The directories that apply to a cleaned target, root ("") first, the target's own directory last.

    Each is a real directory at most 32 levels below the root: the recorded behaviour counts directories, so that a file
    in the deepest one is still a target. Raises `DiscoveryError` otherwise.
    """
    if target == ".":
        return ("",)
    parts = target.split("/")
    if len(parts) > protocol.MAX_DEPTH + 1:
        raise _too_deep(target, len(parts) - 1)
    scopes = [""]
    for part in parts[:-1]:
        scopes.append(f"{scopes[-1]}/{part}" if scopes[-1] else part)
    parent, name = scopes[-1], parts[-1]
    if parent and not guard.has_directory(parent):
        raise refusals.missing_directory(next(scope for scope in scopes[1:] if not guard.has_directory(scope)))
    kind = guard.kind(parent, name)
    if kind == "symlink":
        raise refusals.linked_target(target, guard.link_target(parent, name))
    if kind == "directory":
        if len(parts) > protocol.MAX_DEPTH:
            raise _too_deep(target, len(parts))
        guard.has_directory(target)
        scopes.append(target)
    return tuple(scopes)


def _place(item: ReadSource, scope: str, depth: int, before: int, ordinal: int, target: str, loaded_at: str) -> Source:
    own = protocol.BASE_PRECEDENCE + protocol.PRECEDENCE_PER_LEVEL * depth + item.kind_order
    return Source(
        ordinal=ordinal,
        path=item.path,
        kind=item.kind,
        scope=scope,
        depth=depth,
        precedence=max(before, own),
        content=item.content,
        content_sha256=item.content_sha256,
        loaded_at=loaded_at,
        trust=protocol.TRUST,
        applicable_to=(target,),
        why_effective=why_effective(scope, target, depth),
        redacted=item.redacted,
        raw_bytes=item.raw_bytes,
    )


def _too_deep(target: str, depth: int) -> DiscoveryError:
    return DiscoveryError(
        f"{target} lies {depth} directories below the workspace root; the limit is {protocol.MAX_DEPTH}.",
        code="too-deep",
        path=target,
        limit=protocol.MAX_DEPTH,
        hint="Open a directory further down as the workspace.",
        found=depth,
    )


def _total_too_large(target: str, total: int, path: str) -> DiscoveryError:
    return DiscoveryError(
        f"The instructions for {'the workspace root' if target == '.' else target} have {total:,} bytes in total; the limit is {protocol.MAX_TOTAL_BYTES:,}, "
        f"passed at {path}. The list is refused rather than cut.",
        code="total-too-large",
        path=path,
        limit=protocol.MAX_TOTAL_BYTES,
        hint=f"Shorten files on the way there, or leave some out in {protocol.IGNORE_FILE}.",
        total=total,
    )
