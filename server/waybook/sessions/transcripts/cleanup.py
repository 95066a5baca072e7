"""Settings by which agents delete their own transcripts: what is not imported by then is gone."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from waybook.sessions.transcripts.text import object_of, text_of
from waybook.workspace.transcript_files import document, names

if TYPE_CHECKING:
    from waybook.sessions.transcripts.readers.model import Places

CLAUDE_DAYS = 30
"""Claude Code's own number where nothing is set ("cleanupPeriodDays", its documentation)."""


def cleanup_notes(places: Places) -> tuple[str, ...]:
    """One sentence for each agent in use that deletes transcripts by its settings."""
    return tuple(note for note in (_claude(places), _gemini(places)) if note)


def _claude(places: Places) -> str:
    folder = places.folder("CLAUDE_CONFIG_DIR", ".claude")
    if not names(os.path.join(folder, "projects")):
        return ""
    days = _settings(os.path.join(folder, "settings.json")).get("cleanupPeriodDays")
    is_set = isinstance(days, int) and not isinstance(days, bool)
    count = days if is_set else CLAUDE_DAYS
    origin = f"cleanupPeriodDays in {os.path.join(folder, 'settings.json')}" if is_set else "its default"
    return (
        f"Claude Code deletes transcripts after {count} days ({origin}). "
        "Import what you want to keep: waybook sessions import."
    )


def _gemini(places: Places) -> str:
    path = os.path.join(places.folder("", ".gemini"), "settings.json")
    kept = object_of(object_of(_settings(path).get("general")).get("sessionRetention"))
    if kept.get("enabled") is not True:
        return ""
    age = text_of(kept.get("maxAge")) or "some time"
    return (
        f"Gemini CLI deletes sessions after {age} (general.sessionRetention in {path}). Import what you want to keep."
    )


def _settings(path: str) -> dict[str, Any]:
    try:
        return object_of(json.loads(document(path)))
    except (OSError, ValueError, RecursionError):
        return {}
