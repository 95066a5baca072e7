"""Where kept findings lie: one file a workspace in the user's cache directory, under a key of all they depend on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import waybook
from waybook.base.canonical import sha256_hex
from waybook.checks.kept_findings import KeptFindings
from waybook.workspace.program import program_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.checks.model import Check
    from waybook.settings import Settings


def cache_directory(settings: Settings) -> str:
    """The directory of everything that is kept only to be quick; it may be deleted at any time."""
    if settings.cache_dir:
        return os.path.abspath(os.path.expanduser(settings.cache_dir))  # noqa: PTH100, PTH111 - a path as the person typed it
    from platformdirs import user_cache_path

    return str(user_cache_path("waybook", appauthor=False))


def kept_findings(root: str, settings: Settings, checks: Sequence[Check]) -> KeptFindings:
    """The kept findings of a workspace under these settings."""
    name = sha256_hex(f"{root}\0{settings.exclude}")[:40]
    path = os.path.join(cache_directory(settings), "checks", f"{name}.json")  # noqa: PTH118 - as above
    package = os.path.dirname(waybook.__file__)  # noqa: PTH120 - as above
    codes = " ".join(check.code for check in checks)
    return KeptFindings(path, sha256_hex(f"{program_digest(package)}\0{root}\0{settings!r}\0{codes}"), checks)
