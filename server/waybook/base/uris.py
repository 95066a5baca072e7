"""File URIs and paths: decoded exactly once, on this platform's rules or the other's.

`windows` defaults to the platform the program runs on; tests ask for both.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from urllib.parse import quote, unquote_to_bytes

_WINDOWS = os.name == "nt"
_FILE = re.compile(r"file:(?://([^/?#]*))?(/[^?#]*)(?:[?#].*)?", re.IGNORECASE | re.DOTALL)
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_DRIVE = re.compile(r"/([A-Za-z]):(?=/|$)")
_SAFE = "/~!$&'()*+,;=:@"


@lru_cache(maxsize=1024)
def uri_to_path(uri: str, *, windows: bool = _WINDOWS) -> str | None:
    """The path of a file URI; None for another scheme, a malformed URI, or one with NUL or an encoded slash.

    Percent escapes are decoded exactly once, in any hex case; `+` stays. On Windows drive letters become lower case and
    a host gives a UNC path; elsewhere a host other than localhost is nobody's file.
    """
    parts = _parts(uri, windows=windows)
    if parts is None:
        return None
    host, path = parts
    if not windows:
        return None if host else path
    if host:
        return f"\\\\{host}{path}".replace("/", "\\")
    drive = _DRIVE.match(path)
    if drive is None:
        return path.replace("/", "\\")
    rest = path[drive.end() :] or "/"
    return f"{drive[1].lower()}:{rest}".replace("/", "\\")


def path_to_uri(path: str, *, windows: bool = _WINDOWS) -> str:
    """The file URI of an absolute path; `uri_to_path` gives the path back."""
    if not windows:
        return "file://" + _quote(path)
    slashed = path.replace("\\", "/")
    if slashed.startswith("//"):
        return "file:" + _quote(slashed)
    if slashed[1:2] == ":":
        slashed = f"/{slashed[0].lower()}{slashed[1:]}"
    return "file://" + _quote(slashed).replace(":", "%3A", 1)


@lru_cache(maxsize=1024)
def uri_key(uri: str, *, windows: bool = _WINDOWS) -> str:
    """One key for every spelling of a URI; a URI that is no file keeps its text.

    Drive letters fold, the rest of the path keeps its case (Windows directories may be case-sensitive).
    """
    path = uri_to_path(uri, windows=windows)
    return uri if path is None else path_to_uri(path, windows=windows)


def _parts(uri: str, *, windows: bool) -> tuple[str, str] | None:
    match = _FILE.fullmatch(uri)
    if match is None or _BAD_ESCAPE.search(match[2]):
        return None
    encoded = match[2].upper()
    if "%2F" in encoded or "%00" in encoded or "\0" in uri or (windows and "%5C" in encoded):
        return None
    try:
        path = os.fsdecode(unquote_to_bytes(match[2])) if not windows else unquote_to_bytes(match[2]).decode("utf-8")
    except UnicodeDecodeError:
        return None
    host = (match[1] or "").lower()
    return ("" if host == "localhost" else host), path


def _quote(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe=_SAFE)
