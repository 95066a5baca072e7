"""The fixed list of secrets of protocol version 1."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.instructions.redaction import redact
from workspace.trees import expand


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a ${FAKE_PEM} b", "a [REDACTED:private-key] b"),
        ("${FAKE_PEM}${FAKE_PEM}", "[REDACTED:private-key][REDACTED:private-key]"),
        ("x ${FAKE_MIMO}.", "x [REDACTED:mimo-token]."),
        ("key ${FAKE_API_KEY}!", "key [REDACTED:api-key]!"),
        ("x${FAKE_API_KEY}", "x${FAKE_API_KEY}"),
        ("${FAKE_GITHUB} ${FAKE_GITHUB_PAT}", "[REDACTED:github-token] [REDACTED:github-token]"),
        ("${FAKE_AWS} ${FAKE_AWS}7", "[REDACTED:aws-access-key] ${FAKE_AWS}7"),
        ("-${FAKE_JWT},", "-[REDACTED:jwt],"),
        ("a.b.c ${FAKE_JWT}", "a.b.c [REDACTED:jwt]"),
        ("bEARER \t${FAKE_BEARER}", "bEARER \t[REDACTED:bearer-token]"),
        ("my_token : '${FAKE_VALUE}'", "my_token : '[REDACTED:secret]'"),
        ("x-api-key=${FAKE_VALUE};", "x-api-key=[REDACTED:secret]"),
        ("PRIVATE-KEY_2=${FAKE_VALUE}", "PRIVATE-KEY_2=[REDACTED:secret]"),
        ("KEY=token=${FAKE_VALUE}", "KEY=token=[REDACTED:secret]"),
        ("password=short", "password=short"),
        ("name=${FAKE_VALUE}", "name=${FAKE_VALUE}"),
        ("ét_token=${FAKE_VALUE}", "ét_token=[REDACTED:secret]"),
        ("API_KEY=${FAKE_API_KEY}", "API_KEY=[REDACTED:secret]"),
    ],
)
def test_each_shape(text, wanted):
    """One row per shape, its boundaries and the order in which they are applied."""
    text, wanted = expand(text), expand(wanted)
    assert redact(text) == (wanted, wanted != text)


REFERENCE = (
    (re.compile(r"\b[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\b", re.ASCII), "[REDACTED:jwt]"),
    (
        re.compile(
            r"\b([A-Z0-9_]*(?:API[_-]?KEY|TOKEN|SECRET|PASSWORD|PASSWD|PRIVATE[_-]?KEY)[A-Z0-9_]*[\t\n\f\r ]*[:=]"
            r"[\t\n\f\r ]*[\"']?)[^\t\n\f\r \"']{8,}([\"']?)",
            re.ASCII | re.IGNORECASE,
        ),
        r"\1[REDACTED:secret]\2",
    ),
)
PIECES = [
    "TOKEN",
    "api",
    "API",
    "_",
    "-",
    "KEY",
    "key",
    "PRIVATE",
    "=",
    ":",
    " ",
    "\n",
    '"',
    "'",
    ".",
    "abcdefgh",
    "x" * 10,
    "é",
]


@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_the_fast_forms_agree_with_the_plain_ones(text):
    """The linear-time forms find what the plain expressions find."""
    wanted = text
    for pattern, replacement in REFERENCE:
        wanted = pattern.sub(replacement, wanted)
    assert redact(text)[0] == wanted


@pytest.mark.parametrize(
    "unit",
    [
        "TOKEN",
        "a-",
        "-----BEGIN PRIVATE KEY-----\n",
        "token ",
        "a.",
        "aaaaaaaaaa.",
        "sk-",
        "Bearer ",
        "API-KEY",
        "token=",
        "x=",
        "_",
    ],
)
def test_no_text_is_slow(unit):
    """A file at its size limit takes well under a second, whatever it repeats."""
    text = unit * (65_536 // len(unit))
    begun = time.process_time()
    redact(text)
    assert time.process_time() - begun < 1
