"""From bytes to text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.base.errors import DiscoveryError
from waybook.instructions.normalise import decode, normalise


@given(st.text())
def test_normalised_text_is_stable(text):
    """Normalising twice changes nothing more; no CR is left; the end is one newline."""
    once = normalise(text)
    if not once.startswith("\ufeff"):
        assert normalise(once) == once
    assert "\r" not in once
    assert not once or (once.endswith("\n") and once != "\n" and not once.endswith("\n\n"))


@given(st.binary())
def test_decoding_is_exact_or_tells_the_byte(raw):
    """Valid UTF-8 without NUL comes back unchanged; else the offset is that of the first bad byte."""
    try:
        text = decode(raw, "f")
    except DiscoveryError as caught:
        error = caught
    else:
        assert text.encode() == raw
        assert "\0" not in text
        return
    offset = error.details["byte_offset"]
    if error.code == "nul":
        assert raw[offset] == 0
    else:
        assert error.code == "not-utf8"
        raw[:offset].decode()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\ufeff a\r\nb\rc \r\n", "a\nb\nc\n"),
        ("\ufeff\ufeffa", "\ufeffa\n"),
        ("\x1ca\x1c", "\x1ca\x1c\n"),
        ("\u3000\x85a\u2028", "a\n"),
        ("\t \n", ""),
    ],
)
def test_trimming(text, wanted):
    """One BOM is dropped; what is trimmed is Unicode white space, not every control character."""
    assert normalise(text) == wanted
