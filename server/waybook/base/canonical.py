"""Canonical JSON and digests: the bytes that fingerprints are made of."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

_GO_ESCAPES = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"},
)


def canonical_json(value: Any) -> str:
    r"""Compact JSON in the key order given, escaped as Go's encoder does (`<`, `>`, `&`, U+2028, U+2029).

    Go also writes backspace and form feed as `\\b` and `\\f` since its 1.22, as Python does; other control characters
    are `\\u00XX` in both. Every recorded `.prayu` fingerprint depends on this form.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_GO_ESCAPES)


@lru_cache(maxsize=4096)
def canonical_text(text: str) -> str:
    """The canonical JSON of one text, quotes included; remembered, since paths and reasons come again and again."""
    return encode_basestring(text).translate(_GO_ESCAPES)


def sha256_hex(data: bytes | str) -> str:
    """The SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 lower-case hex digits."""
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()


def digest(value: Any) -> str:
    """The SHA-256 of a value's canonical JSON."""
    return sha256_hex(canonical_json(value))
