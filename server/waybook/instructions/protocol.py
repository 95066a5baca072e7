"""Constants of protocol `project_instruction_snapshot.v1`.

Everything here is part of a fingerprint or decides one: a change is a new protocol version, never a better wording.
Limits, reasons and the resolution are those of the .prayu protocol. The reasons about an override are Waybook's own:
the protocol asks for such a record without wording it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from waybook.instructions.model import Kind, Limits

PROTOCOL_VERSION: Final = "project_instruction_snapshot.v1"
TRUST: Final = "project_workflow_untrusted"

MAX_FILES: Final = 64
MAX_FILE_BYTES: Final = 65_536
MAX_TOTAL_BYTES: Final = 262_144
MAX_DEPTH: Final = 32
"""Directories below the root on the way to a target, and path parts below a `rules` directory."""
MAX_IGNORE_BYTES: Final = 16_384
MAX_IGNORE_PATTERNS: Final = 128
LIMITS: Final = Limits(MAX_FILES, MAX_FILE_BYTES, MAX_TOTAL_BYTES, MAX_DEPTH)

IGNORE_FILE: Final = ".prayu/instructions.ignore"

REASON_CONTROL_FILE: Final = "discovery control file; never delivered as instruction content"
REASON_MATCHED: Final = f"matched {IGNORE_FILE}"
REASON_BLANK_OVERRIDE: Final = "blank override; falls back to AGENTS.md in the same directory"
RESOLUTION_NEARER: Final = "both apply; the nearer directory is evaluated later and wins on conflict"

BASE_PRECEDENCE: Final = 100
PRECEDENCE_PER_LEVEL: Final = 10


def reason_overridden(override_path: str) -> str:
    """The reason recorded for an `AGENTS.md` that gives way to the override beside it."""
    return f"overridden by {override_path}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that a directory may hold: kind, name, the sub-directory it lies in ("" for none), order in its level.

    `recorded` tells whether an ignored record is made although the file is absent, as the recorded program does for
    the names it knew.
    """

    kind: Kind
    name: str
    folder: str
    kind_order: int
    recorded: bool

    @property
    def path(self) -> str:
        """The slash path below the scope's directory."""
        return f"{self.folder}/{self.name}" if self.folder else self.name


OVERRIDE: Final = Candidate(Kind.AGENTS, "AGENTS.override.md", "", 0, recorded=False)
AGENTS: Final = Candidate(Kind.AGENTS, "AGENTS.md", "", 0, recorded=True)
SINGLE_FILES: Final = (
    Candidate(Kind.CLAUDE, "CLAUDE.md", "", 1, recorded=True),
    Candidate(Kind.CLAUDE, "CLAUDE.md", ".claude", 1, recorded=False),
    Candidate(Kind.PRAYU_INSTRUCTIONS, "instructions.md", ".prayu", 2, recorded=True),
)
"""In reading order, after the `AGENTS` pair and before the rules."""
RULES_PARENT: Final = ".prayu"
RULES_FOLDER: Final = "rules"
RULE_SUFFIX: Final = ".md"
RULE_KIND_ORDER: Final = 3
