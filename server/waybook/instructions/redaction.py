"""The protocol's fixed list of secrets, removed before hashing.

The list belongs to version 1 of the protocol: fingerprints depend on it, so it never learns a new shape. Each step works
on the result of the one before; word boundaries and white space are ASCII. Every step takes time linear in the text,
whatever the text is.
"""

from __future__ import annotations

import re

_BLANK = r"[\t\n\f\r ]"
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_KEY_END = re.compile(r"-----END [A-Z ]*PRIVATE KEY-----")
_MIMO = re.compile(r"\btp-[A-Za-z0-9]{30,}\b", re.ASCII)
_API = re.compile(r"\bsk-[A-Za-z0-9_-]{20,}\b", re.ASCII)
_GITHUB = re.compile(r"\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{20,}\b", re.ASCII)
_GITHUB_HINT = re.compile(r"g(?:h[pousr]_|ithub_pat_)")
_AWS = re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", re.ASCII)
_JWT_HINT = re.compile(r"\.[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10}")
# A run of these characters can only match from its first word character on: the lookbehind keeps one attempt per run.
_JWT = re.compile(r"(?<![A-Za-z0-9_-])(-*+)\b[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10,}\b", re.ASCII)
_BEARER = re.compile(rf"\b(Bearer{_BLANK}++)[A-Za-z0-9._~+/-]{{20,}}+", re.ASCII | re.IGNORECASE)
# A name may hold one hyphen, inside API-KEY or PRIVATE-KEY; which names count is decided in `_names_secret`.
_ASSIGNMENT = re.compile(
    rf"\b([A-Z0-9_]++(?:-KEY[A-Z0-9_]*+)?)({_BLANK}*+[:=]{_BLANK}*+[\"']?)[^\t\n\f\r \"']{{8,}}+([\"']?)",
    re.ASCII | re.IGNORECASE,
)
_HINTS = ("API", "TOKEN", "SECRET", "PASSW", "PRIVATE")
"""Every name that `_names_secret` knows holds one of these."""
_REST_OF_NAME = re.compile(rf"[A-Z0-9_-]*+{_BLANK}*+")
_WORDS = ("API_KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PRIVATE_KEY", "PRIVATEKEY")


def redact(text: str) -> tuple[str, bool]:
    """The text with every known secret replaced, and whether anything was.

    Each expression runs only where a literal part of it occurs: most texts cost a few substring searches.
    """
    result = _private_keys(text) if "-----BEGIN " in text else text
    if "tp-" in result:
        result = _MIMO.sub("[REDACTED:mimo-token]", result)
    if "sk-" in result:
        result = _API.sub("[REDACTED:api-key]", result)
    if _GITHUB_HINT.search(result):
        result = _GITHUB.sub("[REDACTED:github-token]", result)
    if "IA" in result:
        result = _AWS.sub("[REDACTED:aws-access-key]", result)
    if _JWT_HINT.search(result):
        result = _JWT.sub(r"\1[REDACTED:jwt]", result)
    upper = result.upper()
    if "BEARER" in upper:
        result = _BEARER.sub(r"\1[REDACTED:bearer-token]", result)
    if (":" in upper or "=" in upper) and _may_assign(upper):
        result = _assignments(result)
    return result, result != text


def _may_assign(upper: str) -> bool:
    """Whether some name of a secret is followed by a value, in a text in upper case: a superset, found by plain search."""
    for hint in _HINTS:
        at = upper.find(hint)
        while at >= 0:
            end = _end_of_name(upper, at)
            if upper.startswith((":", "="), end):
                return True
            at = upper.find(hint, end)
    return False


def _end_of_name(upper: str, at: int) -> int:
    """Where the name and the white space after it end that this place is part of."""
    match = _REST_OF_NAME.match(upper, at)
    return match.end() if match else at


def _private_keys(text: str) -> str:
    parts: list[str] = []
    position = 0
    while begin := _KEY_BEGIN.search(text, position):
        end = _KEY_END.search(text, begin.end())
        if end is None:
            break
        parts += (text[position : begin.start()], "[REDACTED:private-key]")
        position = end.end()
    parts.append(text[position:])
    return "".join(parts)


def _assignments(text: str) -> str:
    parts: list[str] = []
    kept = position = 0
    while match := _ASSIGNMENT.search(text, position):
        name = match[1].upper()
        if not _names_secret(name):
            # the value may itself be an assignment: only the name, or its part before the hyphen, is passed over
            position = match.start() + len(name.partition("-")[0])
            continue
        parts += (text[kept : match.start()], match[1], match[2], "[REDACTED:secret]", match[3])
        kept = position = match.end()
    if not parts:
        return text
    parts.append(text[kept:])
    return "".join(parts)


def _names_secret(name: str) -> bool:
    if "-" in name:
        return "API-KEY" in name or "PRIVATE-KEY" in name
    return any(word in name for word in _WORDS)
