"""What holds around a session at one moment: the workspace's settings, its instructions, its Git identity."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from waybook.base.canonical import digest
from waybook.base.errors import DiscoveryError
from waybook.workspace.git import GitIdentity, identify
from waybook.workspace.settings_file import NAME, read_settings_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from waybook.instructions.model import Snapshot as Instructions


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`instructions` is None where a run's pin counts, where the directory is gone, or where discovery was refused."""

    config_fingerprint: str
    instructions: Instructions | None
    git: GitIdentity


NOWHERE = Surroundings("", None, GitIdentity("none"))


def look(root: str, target: str, discover: Callable[[str, str], Instructions] | None) -> Surroundings:
    """The surroundings in a workspace root (absolute). `discover` is None where a pin counts instead of the disk."""
    if not Path(root).is_dir():
        return NOWHERE
    instructions = None
    if discover is not None:
        try:
            instructions = discover(root, target)
        except DiscoveryError:
            instructions = None  # refused: a checkpoint carries no fingerprint rather than a doubtful one
    return Surroundings(config_fingerprint(root), instructions, identify(root))


def config_fingerprint(root: str) -> str:
    """The SHA-256 of the workspace's own settings, whatever their order; "" without any."""
    if not os.path.lexists(f"{root}/{NAME}"):
        return ""
    options, _ = read_settings_file(root)
    return digest(_sorted(options)) if options else ""


def _sorted(value: object) -> object:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(item) for item in value]
    return value if isinstance(value, str | int | float | bool) else str(value)
