"""A program and its arguments in the languages that editors are configured in."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def quoted(text: str) -> str:
    """A text in double quotes, as JSON, TOML, Lua and Emacs Lisp read it alike (ASCII escapes left out on purpose)."""
    return json.dumps(text, ensure_ascii=False)


def listed(items: Sequence[str]) -> str:
    """`"a", "b"`."""
    return ", ".join(quoted(item) for item in items)


def spaced(items: Sequence[str]) -> str:
    """`"a" "b"`."""
    return " ".join(quoted(item) for item in items)


def shell(items: Sequence[str]) -> str:
    """As a shell reads it."""
    return shlex.join(items)
