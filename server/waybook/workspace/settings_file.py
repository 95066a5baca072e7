"""The workspace's own settings, `waybook.toml` at its root. Damaged settings never stop anything: they are warnings."""

from __future__ import annotations

from typing import Any

from waybook.base.errors import DiscoveryError
from waybook.workspace.guard import Guard

NAME = "waybook.toml"
MAX_BYTES = 65_536
"""A settings file larger than this is passed over; ours is a few lines."""


def read_settings_file(root: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """(options, warnings) of a workspace; no options when the file is absent, linked, too large or not TOML."""
    try:
        with Guard(root) as guard:
            raw = guard.read("", NAME, MAX_BYTES)
    except DiscoveryError as error:
        return {}, (f"{NAME} is passed over: {error.message}",)
    if raw is None:
        return {}, ()
    import tomllib

    try:
        return tomllib.loads(raw.decode("utf-8-sig")), ()
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, (f"{NAME} is passed over: {error}.",)
