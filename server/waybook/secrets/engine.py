"""The rule engine for what our own rules do not know: kingfisher, in this process, loaded at first need.

Only its scanner is used; its validators and revokers, which talk to the network, are never imported by us nor called.
Measured with kingfisher-secret-scanner 1.5.0 and its 488 rules of medium confidence: loading 0.25 seconds and 40 MB with its cache of
compiled rules, 2.7 seconds the first time; then 240 MB/s, 0.02 to 0.05 ms for an instruction file.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from waybook.base.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kingfisher_sdk import Scanner

_HELPERS = (
    "-id", "-client-id", "-username", "-user", "-url", "-uri", "-host", "-domain", "-name", "-account", "-endpoint",
    "-region", "-repository",
)  # fmt: skip
"""Rules that find a credential's companion (an account, a host), not a credential."""

_lock = threading.Lock()  # two first calls at once compile the rules once


@cache
def _scanner() -> Scanner:
    try:
        from kingfisher_sdk import Rules, Scanner  # 36 MB of native code, for suspicious text only
    except (ImportError, OSError) as error:
        raise UnavailableError(
            "The secret scanner cannot be loaded, so that this text cannot be checked for secrets.",
            code="secrets-unavailable",
            hint="Reinstall kingfisher-secret-scanner for this platform.",
        ) from error
    return Scanner(Rules(cache_dir=_cache_dir()))


def _cache_dir() -> str:
    from platformdirs import user_cache_path  # only where the engine is loaded

    return str(user_cache_path("waybook", appauthor=False) / "secret-rules")


def scan(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the engine's findings in `text`: rule, start and end (`str` offsets), in no order, overlaps included.

    The rules of the compiled cache hold no text of the user's. Raises `UnavailableError` where it cannot be loaded.
    """
    with _lock:
        scanner = _scanner()
    data = text.encode("utf-8", "replace")  # a lone surrogate becomes "?": one character either way
    ascii_only = len(data) == len(text)
    for found in scanner.scan(data):
        rule = _rule(found.rule_id)
        if not found.visible or rule.endswith(_HELPERS):
            continue
        place = found.location
        start, end = place["start_offset"], place["end_offset"]
        if not ascii_only:
            start, end = _offset(data, start), _offset(data, end)
        yield rule, start, end


def _rule(identifier: str) -> str:
    """Our spelling of the engine's rule: `betterleaks.github-pat` -> `github-pat`."""
    family, _, rest = identifier.replace("/", ".").rpartition(".")
    name = family.rpartition(".")[2] if rest.isdigit() else rest
    return name.replace("_", "-").lower()


def _offset(data: bytes, place: int) -> int:
    return len(data[:place].decode("utf-8", "ignore"))
