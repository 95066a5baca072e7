"""From a file's bytes to the text that is hashed and delivered."""

from __future__ import annotations

from waybook.base.errors import DiscoveryError

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What is trimmed: Unicode's White_Space property, the protocol's rule (`str.strip` also takes U+001C to U+001F)."""
_BOM = "\ufeff"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def decode(raw: bytes, path: str) -> str:
    """Strict UTF-8 without NUL; `DiscoveryError` (`not-utf8`, `nul`) tells the offset of the first bad byte."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(raw, path, error.start) from error
    offset = raw.find(0)
    if offset >= 0:
        msg = f"{path} holds a NUL byte at byte offset {offset}; instruction files are plain text."
        raise DiscoveryError(
            msg,
            code="nul",
            path=path,
            hint="Remove the NUL bytes, or save the file as UTF-8 text.",
            byte_offset=offset,
        )
    return text


def _not_utf8(raw: bytes, path: str, offset: int) -> DiscoveryError:
    utf16 = raw.startswith(_UTF16_MARKS)
    return DiscoveryError(
        f"{path} is not valid UTF-8: byte 0x{raw[offset]:02x} at byte offset {offset}"
        f"{' (it looks like UTF-16)' if utf16 else ''}. Nothing is guessed or replaced.",
        code="not-utf8",
        path=path,
        hint="Save the file as UTF-8.",
        byte_offset=offset,
    )


def unify_newlines(text: str) -> str:
    """CRLF and CR become LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def normalise(text: str) -> str:
    """One BOM dropped, newlines unified, white space trimmed at both ends, one final newline; "" for a blank text."""
    trimmed = unify_newlines(text.removeprefix(_BOM)).strip(WHITE_SPACE)
    return trimmed + "\n" if trimmed else ""
