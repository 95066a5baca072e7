"""Records of protocol `project_instruction_snapshot.v1`: sources, snapshots, diffs. No input or output here.

The JSON form of each record (`to_json`) has the protocol's field order. Reasons and resolutions inside `ignored` and
`conflicts` are part of the fingerprint: they are protocol constants, not wording (see `protocol.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from waybook.base.errors import DiscoveryError


class Kind(StrEnum):
    """What a source is; the value is its name in the protocol."""

    AGENTS = "agents"
    CLAUDE = "claude"
    PRAYU_INSTRUCTIONS = "prayu_instructions"
    PRAYU_RULE = "prayu_rule"


@dataclass(frozen=True, slots=True)
class Authority:
    """What a source's text may do. There is no way to make one that grants anything."""

    def to_json(self) -> dict[str, bool]:
        """Guidance yes, every grant no."""
        return {
            "workflow_guidance": True,
            "formatting_guidance": True,
            "validation_guidance": True,
            "tool_grant": False,
            "network_grant": False,
            "secret_access": False,
            "debug_grant": False,
            "plugin_grant": False,
            "hook_execution": False,
            "policy_override": False,
        }


GUIDANCE_ONLY = Authority()


@dataclass(frozen=True, slots=True)
class Source:
    """One instruction file that applies to the target.

    `content` is the normalised, redacted text and `content_sha256` its digest; `depth` counts directories below the
    root; a higher `precedence` is read later and prevails; `loaded_at` is RFC 3339 UTC. `raw_bytes` is the file's size
    on disk and stays out of the protocol's JSON.
    """

    ordinal: int
    path: str
    kind: Kind
    scope: str
    depth: int
    precedence: int
    content: str
    content_sha256: str
    loaded_at: str
    trust: str
    applicable_to: tuple[str, ...]
    why_effective: str
    redacted: bool
    authority: Authority = GUIDANCE_ONLY
    raw_bytes: int = 0

    def to_json(self) -> dict[str, Any]:
        """The source in protocol order."""
        return {
            "ordinal": self.ordinal,
            "path": self.path,
            "kind": self.kind.value,
            "scope": self.scope,
            "depth": self.depth,
            "precedence": self.precedence,
            "content": self.content,
            "content_sha256": self.content_sha256,
            "loaded_at": self.loaded_at,
            "trust": self.trust,
            "applicable_to": list(self.applicable_to),
            "why_effective": self.why_effective,
            "redacted": self.redacted,
            "authority": self.authority.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Ignored:
    """A candidate that does not apply, and the protocol's reason."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sources of one kind in different scopes; both apply, the nearer is read later and prevails."""

    lower_precedence_path: str
    higher_precedence_path: str
    resolution: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds discovery was run with: files, bytes of one file, bytes in all, directories of depth."""

    max_files: int
    max_file_bytes: int
    max_total_bytes: int
    max_depth: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that applies to one target, in reading order, under one fingerprint."""

    protocol_version: str
    target_path: str
    sources: tuple[Source, ...]
    ignored: tuple[Ignored, ...]
    conflicts: tuple[Conflict, ...]
    fingerprint: str
    loaded_at: str
    limits: Limits

    def to_json(self) -> dict[str, Any]:
        """The snapshot in protocol order."""
        return {
            "protocol_version": self.protocol_version,
            "target_path": self.target_path,
            "sources": [source.to_json() for source in self.sources],
            "ignored": [{"path": item.path, "reason": item.reason} for item in self.ignored],
            "conflicts": [
                {
                    "lower_precedence_path": item.lower_precedence_path,
                    "higher_precedence_path": item.higher_precedence_path,
                    "resolution": item.resolution,
                }
                for item in self.conflicts
            ],
            "fingerprint": self.fingerprint,
            "loaded_at": self.loaded_at,
            "limits": {
                "max_files": self.limits.max_files,
                "max_file_bytes": self.limits.max_file_bytes,
                "max_total_bytes": self.limits.max_total_bytes,
                "max_depth": self.limits.max_depth,
            },
        }


@dataclass(frozen=True, slots=True)
class SnapshotDiff:
    """What separates two snapshots. `changed`: same path, other hash, scope, kind or precedence."""

    from_fingerprint: str
    to_fingerprint: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    order_changed: bool
    requires_confirmation: bool


Discovery = Snapshot | DiscoveryError
"""What a scope answers: its snapshot, or the one error that refused it."""
