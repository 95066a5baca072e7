"""Places that no reference may name: where secrets live, and what people type."""

from __future__ import annotations

import re
from itertools import pairwise

from waybook.base.errors import RefusedError

_SEPARATORS = re.compile(r"[\\/:#?&=\s,;|@\"'`()<>\[\]{}]+")
_ENV = re.compile(r"\.env(?:rc)?(?:[._-].*)?|.*\.env")
_WORDS = re.compile(r"[a-z0-9]+")
_NAMES = frozenset(
    {"id_rsa", "id_ed25519", "id_ecdsa", "id_dsa", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd"}
)
_ENDINGS = (".pem", ".pfx", ".p12", ".key", ".keystore", ".jks", ".ppk", ".kdbx")
_SENSITIVE_WORDS = frozenset(
    {"credential", "credentials", "secret", "secrets", "stdin", "keystroke", "keystrokes", "keylog", "keylogger"}
)
_PHRASES = (("terminal", "input"), ("standard", "input"), ("keyboard", "input"), ("key", "strokes"), ("key", "stroke"))


def sensitive_place(reference: str) -> str | None:
    """Name the kind of sensitive place that a reference points at, in words for a message; None where there is none.

    Whole path segments and whole words count, in any case: `notes/secretary.md` and `monkey.md` are fine. An example
    file such as `.env.example` is refused like its model: whoever copies it fills it in.
    """
    low = reference.casefold()
    for segment in filter(None, _SEPARATORS.split(low)):
        if _ENV.fullmatch(segment):
            return "an environment file (.env)"
        bare = segment.removesuffix(".pub")
        if bare in _NAMES or bare.removesuffix(".bak") in _NAMES:
            return "a private key or credential file"
        if bare.endswith(_ENDINGS):
            return "a private key or certificate file"
    words = _WORDS.findall(low)
    for word in words:
        if word in _SENSITIVE_WORDS:
            return f"a sensitive place ({word})"
    for pair in pairwise(words):
        if pair in _PHRASES:
            return f"a sensitive place ({' '.join(pair)})"
    return None


def check_reference(reference: str, *, field: str = "reference") -> None:
    """Refuse (`RefusedError`, code `sensitive-reference`) a reference that names a sensitive place.

    Redaction does not bypass this. The message does not repeat the reference, which may itself hold a secret.
    """
    place = sensitive_place(reference)
    if place is not None:
        msg = f"The {field} names {place}; nothing was kept."
        raise RefusedError(
            msg,
            code="sensitive-reference",
            hint="Name the document or decision the text comes from; redaction does not lift this rule.",
            field=field,
        )
