"""Page cursors: opaque to people, checked when they come back."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from waybook.base.errors import UsageError


def pack(kind: str, *key: str | int) -> str:
    """A cursor that continues a listing of this kind behind a key."""
    return base64.urlsafe_b64encode(json.dumps([kind, *key]).encode()).decode().rstrip("=")


def unpack(cursor: str, kind: str, *types: type) -> tuple[Any, ...]:
    """The key of a cursor; empty for none. Raises `UsageError` for one that was not made by `pack` for this kind."""
    if not cursor:
        return ()
    try:
        found = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, UnicodeError, RecursionError):
        found = None
    if not isinstance(found, list) or [type(item) for item in found] != [str, *types] or found[0] != kind:
        raise UsageError(
            "This cursor belongs to another listing.", code="bad-cursor", hint="Begin again without a cursor."
        )
    return tuple(found[1:])
