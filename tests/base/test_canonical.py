"""The JSON that fingerprints are made of: Go's escaping, byte for byte."""

from __future__ import annotations

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from waybook.base.canonical import canonical_json, digest, sha256_hex

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_it_is_compact_json_without_what_go_escapes(value):
    """It reads back as the value, and none of the five characters stands literally."""
    text = canonical_json(value)
    assert json.loads(text) == value
    assert not set("<>&\u2028\u2029") & set(text)


def test_gos_form():
    """Escapes as Go's encoder writes them; other characters stay; the order of keys is kept."""
    value = {"b": "<a>&\u2028\u2029", "a": ['"\\/\n\r\t\x01\x7fé🚀']}
    assert canonical_json(value) == (
        '{"b":"\\u003ca\\u003e\\u0026\\u2028\\u2029","a":["\\"\\\\/\\n\\r\\t\\u0001\x7fé🚀"]}'
    )


def test_digests():
    """A text counts as its UTF-8 bytes."""
    assert sha256_hex("é") == sha256_hex("é".encode()) == hashlib.sha256("é".encode()).hexdigest()
    assert digest(["x"]) == sha256_hex('["x"]')
