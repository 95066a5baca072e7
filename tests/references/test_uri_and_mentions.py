"""URIs and mentions hold for every text, not only for the recorded ones."""

from __future__ import annotations

import re
import time
from base64 import urlsafe_b64encode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from waybook.base.errors import UsageError
from waybook.references.errors import INVALID_REFERENCE
from waybook.references.mentions import Mention, Reference, format_mention, mentions, parse
from waybook.references.uri import SCHEME, decode_uri, encode_uri, whole_pairs

ANY = st.text(st.characters(codec=None, exclude_categories=()))
"""Every text, half surrogate pairs included."""
BRACKETS = st.text(st.sampled_from("@[]()\\a\n \u2028") | st.characters(codec=None, exclude_categories=()))
PIECES = st.lists(
    st.sampled_from(["@[", "]", "(", ")", "\\", "a", " ", "\n", "\u2028", "\x85", "dsh-session:", "ImFiYyI", "@[x](dsh-session:ImFiYyI)"])
).map("".join)  # fmt: skip


def _payload(data: bytes) -> str:
    return SCHEME + urlsafe_b64encode(data).decode().rstrip("=")


@given(ANY)
@example("\ud83d\ude00")
def test_every_id_comes_back(session_id: str) -> None:
    """The URI is plain ASCII and leads back to the id; two halves of a pair are their character."""
    uri = encode_uri(session_id)
    assert re.fullmatch(r"dsh-session:[A-Za-z0-9_-]+", uri)
    assert decode_uri(uri) == whole_pairs(session_id)
    assert encode_uri(decode_uri(uri)) == uri


@given(ANY, ANY)
def test_different_ids_have_different_uris(one: str, other: str) -> None:
    """No two sessions share a URI."""
    assert (encode_uri(one) == encode_uri(other)) == (whole_pairs(one) == whole_pairs(other))


@given(st.text(st.sampled_from("IabmFYyJiA0_-=+/ \n")).map(SCHEME.__add__))
def test_only_the_canonical_form_is_a_reference(uri: str) -> None:
    """What decodes, encodes to the very same URI; all else is refused with the code."""
    try:
        canonical = encode_uri(decode_uri(uri))
    except UsageError as error:
        canonical = error.code
    assert canonical in {uri, INVALID_REFERENCE}


@pytest.mark.parametrize(
    "data",
    [b'"\\u0061"', b'"a" ', b"1", b"null", b"[" * 50_000, b'"\xff"', b'"\xed\xa0\x80"', b'"\\ud83d\\ude00"', b'"a', b'"a"x', b'"\\/"'],
    ids=lambda data: repr(data[:16]),
)  # fmt: skip
def test_other_spellings_of_json_are_refused(data: bytes) -> None:
    """Escapes that need not be, spaces, other values, deep nesting, damaged UTF-8."""
    with pytest.raises(UsageError, match="is no session reference") as caught:
        decode_uri(_payload(data))
    assert caught.value.code == INVALID_REFERENCE


def test_long_payload_is_not_repeated_in_the_message() -> None:
    """An error stays readable."""
    with pytest.raises(UsageError) as caught:
        decode_uri(SCHEME + "A" * 100_000)
    assert len(caught.value.message) < 300


@given(ANY, BRACKETS, BRACKETS.filter(lambda text: "dsh-session:" not in text and "@[" not in text))
@example("abc", "a\\", "")
@example("abc", "]](x)", "x")
def test_mentions_come_back(session_id: str, label: str, around: str) -> None:
    """Whatever label a mention has, parsing gives it and the id back, and its place is exact."""
    mention = format_mention(session_id, label)
    text = f"{around} {mention} {around}"
    parsed = parse(text)
    assert parsed.references == (Reference(whole_pairs(session_id), label),)
    assert parsed.text == f"{around} @{label} {around}"
    assert [text[found.span.start : found.span.end] for found in mentions(text)] == [mention]


_WHITE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NAIVE = re.compile(
    rf"@\[((?:\\[^\n\r\u2028\u2029]|[^\\\]])*)\]\((dsh-session:[^{_WHITE})]*)\)|(dsh-session:[A-Za-z0-9_-]+)"
)


@given(PIECES)
def test_found_as_by_the_plain_pattern(text: str) -> None:
    """The scan that stays linear finds exactly what one backtracking pattern of the grammar finds."""
    expected = [
        ((match.start(), match.end()), match[2] or match[3], match[2] is not None) for match in _NAIVE.finditer(text)
    ]
    found = [((item.span.start, item.span.end), item.uri, item.label is not None) for item in mentions(text)]
    assert found == expected


@pytest.mark.parametrize("unit", ["@[", "@[x](", "@[\\", "@[a](dsh-session:", "dsh-session:"])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    """A megabyte of openings is read in a moment, not in hours."""
    text = unit * (1_000_000 // len(unit))
    began = time.process_time()
    found = list(mentions(text))
    assert time.process_time() - began < 5
    assert all(isinstance(item, Mention) for item in found)


def test_error_says_where() -> None:
    """An editor can mark the malformed mention."""
    with pytest.raises(UsageError) as caught:
        parse("see @[x](dsh-session:)")
    assert caught.value.details == {"offset": 4}
