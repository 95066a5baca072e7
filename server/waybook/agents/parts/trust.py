"""Folder trust as Gemini CLI and its kin record it: `trustedFolders.json`, the nearest entry decides."""

from __future__ import annotations

from posixpath import dirname
from typing import TYPE_CHECKING, Any

from waybook.agents.parts.walk import inside

if TYPE_CHECKING:
    from collections.abc import Mapping


def recorded(entries: Mapping[str, Any], place: str) -> bool | None:
    """Whether a directory is trusted by the entries; `None` when none covers it. The longest covering path decides."""
    best, verdict = -1, None
    for path, level in entries.items():
        if level == "DO_NOT_TRUST":
            top, trusted = path.rstrip("/") or "/", False
        elif level in {"TRUST_FOLDER", "TRUST_PARENT"}:
            top, trusted = path.rstrip("/") or "/", True
            top = dirname(top) if level == "TRUST_PARENT" else top
        else:
            continue
        if inside(place, top) and len(top) > best:
            best, verdict = len(top), trusted
    return verdict
