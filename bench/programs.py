"""The programs that are measured, and what they need to run apart from the user's own files."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

BIN = Path(sys.executable).parent
PEER_CODEX = ("--codex-home", "/nonexistent")
"""Keeps agents-md-debugger from reading the user's own Codex settings."""


def waybook() -> str:
    return str(BIN / "waybook")


def peer(name: str) -> str:
    """A program of the `bench` dependency group."""
    path = BIN / name
    if not path.exists():
        raise SystemExit(f"{name} is not installed: python -m pip install --group bench")
    return str(path)


def versions() -> dict[str, str]:
    """The versions of what is compared."""
    names = ("waybook", "agnix", "agents-md-debugger", "rulereach", "pygls")
    return {name: version(name) for name in names}
