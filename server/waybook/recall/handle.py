"""Handles: what a search found, bound to the run and to what it was; checked again on every page."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import astuple, dataclass
from typing import Any

from waybook.base.errors import UsageError

_VERSION = 1
MAX_PACKED = 4096
"""Characters of a handle or cursor; longer ones were not made here."""


@dataclass(frozen=True, slots=True)
class Handle:
    """`attempt` is that of a sub-agent for its results, else 0; `agent` the sub-agent's session, else empty."""

    run_id: str
    workspace_id: str
    kind: str
    id: str
    version: int
    content_sha256: str
    state: str
    agent: str = ""
    attempt: int = 0


def pack(value: Any) -> str:
    """A JSON value as text that travels anywhere."""
    plain = json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(plain).decode().rstrip("=")


def unpack(text: str) -> Any:
    """The value of `pack`; None for anything else."""
    if len(text) > MAX_PACKED or not text.isascii():
        return None
    try:
        return json.loads(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        return None


def write(handle: Handle) -> str:
    """The handle as text."""
    return pack([_VERSION, *astuple(handle)])


def parse(text: str) -> Handle:
    """The handle of a text. Raises `UsageError` for what no search has given."""
    value = unpack(text)
    shape = [int, str, str, str, str, int, str, str, str, int]
    if not isinstance(value, list) or [type(item) for item in value] != shape or value[0] != _VERSION:
        raise UsageError("This is no handle.", code="bad-handle", hint="Pass a handle from history.search.")
    return Handle(*value[1:])
