"""`dsh-session:` URIs: unpadded base64url of the UTF-8 JSON string of a session's id, lossless for every id."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

from waybook.references.errors import invalid_reference

SCHEME = "dsh-session:"
_LONE = re.compile("[\ud800-\udfff]")
_PAYLOAD = re.compile("[A-Za-z0-9_-]+")


def json_text(text: str) -> str:
    r"""A text as a JSON string, quotes included, as JavaScript writes it.

    Everything but quotes, backslashes and controls stays itself; half a surrogate pair becomes `\ud800`.
    """
    return _LONE.sub(lambda match: f"\\u{ord(match[0]):x}", json.dumps(text, ensure_ascii=False))


def whole_pairs(text: str) -> str:
    """The text with both halves of a surrogate pair joined into their character, as JavaScript has them anyway."""
    if not _LONE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def encode_uri(session_id: str) -> str:
    """The one canonical URI of a session's id; any text is an id, half surrogate pairs included."""
    data = json_text(whole_pairs(session_id)).encode()
    return SCHEME + urlsafe_b64encode(data).decode("ascii").rstrip("=")


def decode_uri(uri: str, offset: int | None = None) -> str:
    """The session's id of a canonical URI; `offset` says where in a text it stands, for the error.

    Raises `UsageError` (code SESSION_REFERENCE_INVALID_REFERENCE) for another scheme, an empty or damaged payload, and
    every spelling but the canonical one.
    """
    if not uri.startswith(SCHEME):
        raise invalid_reference(uri, f"it does not begin with {SCHEME}", offset)
    payload = uri[len(SCHEME) :]
    if not _PAYLOAD.fullmatch(payload):
        raise invalid_reference(uri, "its payload is not base64url" if payload else "its payload is empty", offset)
    session_id = _decoded(payload)
    if session_id is None:
        raise invalid_reference(uri, "its payload is not the JSON string of an id", offset)
    if encode_uri(session_id) != uri:
        raise invalid_reference(uri, "its spelling is not the canonical one", offset)
    return session_id


def _decoded(payload: str) -> str | None:
    """The id in a payload; None where there is none. Only what looks like a JSON string meets the JSON parser."""
    try:
        data = urlsafe_b64decode(payload + "=" * (-len(payload) % 4)).decode()
        value = json.loads(data) if data.startswith('"') else None
    except ValueError:  # also what base64 and UTF-8 decoding raise
        return None
    return value if isinstance(value, str) else None
