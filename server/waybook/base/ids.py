"""The only maker of identifiers; everything else is handed an `IdSource`."""

from __future__ import annotations

import secrets
from typing import Protocol

from waybook.base.clock import Clock, SystemClock

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_TIME_DIGITS = 10
_RANDOM_DIGITS = 16


class IdSource(Protocol):
    """Makes identifiers; tests hand in one that counts."""

    def new(self, prefix: str) -> str:
        """A fresh identifier such as `run_01kb3v...`: opaque, unique, sorting by creation time within a prefix."""
        ...


def _encode(number: int, digits: int) -> str:
    return "".join(_ALPHABET[(number >> (5 * place)) & 31] for place in reversed(range(digits)))


class SystemIds:
    """Sortable identifiers: 48 bits of milliseconds, then 80 random bits, in Crockford's base 32 (lower case)."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()

    def new(self, prefix: str) -> str:
        """A fresh identifier with this prefix."""
        milliseconds = int(self._clock.now().timestamp() * 1000)
        return f"{prefix}_{_encode(milliseconds, _TIME_DIGITS)}{_encode(secrets.randbits(80), _RANDOM_DIGITS)}"
