"""What counts as a secret, where it stands, and that nothing repeats it."""

import logging
import random
import re
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waybook.base.errors import RefusedError, UnavailableError
from waybook.secrets import Secret, describe, engine, find, redact, require_clean

from . import synthetic

RNG = random.Random(3)
GITHUB = synthetic.fill("ghp_{alnum:36}", RNG)
AWS = "AKI" + "AQ3EGRIJKLMNO7PQR"
PASSWORD = "correct" + "-horse-9-battery"
JWT = "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiJkZW1vIn0." + "c2lnbmF0dXJlLW5vdC1yZWFsLTEyMzQ1Njc4OTA"
SECRETS = [synthetic.fill(shape, RNG) for _, _, shape in synthetic.kinds()]


def values(text):
    return [text[each.span.start : each.span.end] for each in find(text)]


@pytest.mark.parametrize(
    ("text", "rule", "value"),
    [
        (f"Deploy note: {GITHUB} end", "github-token", GITHUB),
        (f"Deploy note: {AWS}", "aws-access-key", AWS),
        (f"postgres://app:{PASSWORD}@db.example.test/prod", "url-password", PASSWORD),
        (f'password = "{PASSWORD}"', "password", PASSWORD),
        (f"password: {PASSWORD}", "password", PASSWORD),
        (f"Authorization: Bearer {JWT}", "jwt", JWT),
        (f"日本語 → {GITHUB} 🎉", "github-token", GITHUB),
        (f'{{"stdout":"A=1\\n{GITHUB}\\n"}}', "github-token", GITHUB),
    ],
)
def test_a_secret_is_found_where_it_stands(text, rule, value):
    """The span is exactly the secret, in `str` offsets, and the rule says what it is."""
    assert [(each.rule, text[each.span.start : each.span.end]) for each in find(text)] == [(rule, value)]


def test_a_private_key_is_found_whole():
    """Header, material and end go together; a block that lost its end does not swallow the prose behind it."""
    block = synthetic.fill("-----BEGIN {key}-----\n{base64:64}\n{base64:60}==\n-----END {key}-----", RNG)
    assert values(f"before\n{block}\nafter") == [block]
    cut = block.partition("==\n")[0]
    text = f"{cut}\n\nThen restart the service and read the log until it says ready, which takes a minute.\n"
    assert redact(text).text.endswith("which takes a minute.\n")
    assert cut[40:90] not in redact(text).text


def test_every_further_place_of_a_value_is_a_finding():
    """Once a value is known as a secret, it is one without its context too."""
    text = f'password = "{PASSWORD}"\nI typed {PASSWORD} again'
    assert values(text) == [PASSWORD, PASSWORD]
    assert PASSWORD not in redact(text).text


def test_what_only_the_engine_knows_is_found_with_character_offsets():
    """The engine answers in bytes; findings are in characters."""
    token = synthetic.fill("apify_api_{alnum:36}", RNG)
    assert values(f"¿Qué? 🎉 the actor uses {token} daily") == [token]


def test_a_finding_carries_no_text():
    """A record's fields and form are rule and place only."""
    finding = find(f"x {GITHUB}")[0]
    assert finding == Secret("github-token", finding.span)
    assert GITHUB[4:] not in repr(finding)
    assert Secret.__slots__ == ("rule", "span")


def test_refusal_names_rule_and_place_and_never_the_secret(caplog):
    """Line and column count from 1, in characters; neither the error, its JSON nor the log repeats the secret."""
    text = f"first\né {GITHUB}\n"
    with caplog.at_level(logging.DEBUG), pytest.raises(RefusedError) as refused:
        require_clean(text, field="title")
    assert refused.value.code == "secret-found"
    assert "github-token at line 2, column 3" in refused.value.message
    assert refused.value.to_json()["details"] == {
        "field": "title",
        "findings": [{"rule": "github-token", "line": 2, "column": 3}],
    }
    for shown in (str(refused.value), repr(refused.value), str(refused.value.to_json()), caplog.text):
        assert GITHUB[4:] not in shown


@pytest.mark.parametrize("redactable", [True, False])
def test_redaction_is_offered_only_where_it_can_be_asked_for(redactable):
    """A pin is kept word for word: there is nothing to redact, and nothing is promised."""
    with pytest.raises(RefusedError) as refused:
        require_clean(f"x {GITHUB}", redactable=redactable)
    assert ("--redact-sensitive" in refused.value.hint) is redactable


def test_a_clean_text_passes_and_many_findings_are_counted():
    """Nothing found, nothing raised; past five findings the message counts the rest."""
    require_clean("Rotate the API key each quarter; never paste a token here")
    text = "\n".join(synthetic.fill("ghp_{alnum:36}", RNG) for _ in range(7))
    assert describe(text, find(text)).endswith("and 2 more")


def test_ordinary_text_never_loads_the_engine(monkeypatch):
    """Digests, identifiers, paths and versions do not wake the engine; a random run does."""

    def loaded(_text):
        raise AssertionError("the engine was asked")

    monkeypatch.setattr(engine, "scan", loaded)
    for template, text in synthetic.negatives(draws=1):
        if (
            re.search(r"\{(alnum|base64|url|BASE58|b32low):", template)
            and "base64," not in text
            and "sha512-" not in text
        ):
            continue  # random runs that are no secrets, such as public keys: the engine may judge them
        if not any(mark in text for mark in ("$2b$", "btn_", "eyJ")):
            find(text)
    with pytest.raises(AssertionError):
        find(f"odd {synthetic.fill('{alnum:40}', RNG)}9a8")


def test_a_missing_engine_fails_closed(monkeypatch):
    """A doubtful text that cannot be checked is not called clean."""
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    engine._scanner.cache_clear()
    try:
        with pytest.raises(UnavailableError, match="cannot be checked"):
            find(f"odd {synthetic.fill('{alnum:40}', RNG)}9a8")
        assert find("all is well, no doubt") == ()
    finally:
        engine._scanner.cache_clear()


def test_scanning_opens_no_socket():
    """A fresh process that scans with the engine ends without a socket among its descriptors."""
    program = """
import os, sys
from waybook.secrets import find
find("the actor uses apify_api_" + "k3Jd9sLq2Xz7Pw5Rt8Vb1Nm4Qc6Ya0HfGe2T" + " daily")
links = []
for name in os.listdir("/proc/self/fd"):
    try:
        links.append(os.readlink("/proc/self/fd/" + name))
    except OSError:
        pass
print([link for link in links if link.startswith("socket")], "kingfisher_sdk" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout.strip() == "[] True"


def test_importing_the_room_loads_no_engine_and_compiles_no_shapes():
    """The room is cheap until it is used."""
    program = "import sys, waybook.secrets; print('kingfisher_sdk' in sys.modules, 'platformdirs' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False False"


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----" * 20_000,
        "-----BEGIN PRIVATE KEY-----" + "A b: c\n" * 50_000,
        "password=" * 60_000,
        "password: " + "1" * 300_000 + "~",
        "://a:" * 100_000,
        "a1b2c3d4e5f6g7h8" * 40_000,
        "token is " * 60_000,
        "eyJ" * 150_000,
        "-u a:" * 100_000,
        ("Zz9" * 10 + "/") * 15_000,
        "a1b2c3d4/" + "A/" * 250_000,
        "a1b2c3d4/" + "/AKIA/AKIAbc" * 40_000,
        "x" * 500_000 + "1" + "y" * 20,
        "login " * 80_000 + "password ",
        "".join(f"password: Xk{n}-harbor\n{n:08x}Qz{n}Zk{n:016x}\n" for n in range(9_000)),
    ],
    ids=lambda text: text[:12],
)
def test_hostile_text_costs_little(text):
    """Half a megabyte of near misses takes less than three seconds: no rule's cost explodes."""
    started = time.process_time()
    find(text)
    assert time.process_time() - started < 3


PIECES = st.one_of(
    st.sampled_from(SECRETS),
    st.sampled_from(
        [
            'password = "',
            "token: ",
            "://app:",
            "@host",
            " is ",
            "\\n",
            '"',
            "Bearer ",
            "密码是",
            "[redacted:password]",
            "=",
            "&",
        ]
    ),
    st.text(max_size=12),
    st.text("abcXYZ0189-_/+=.: \n\"'", max_size=24),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_whatever_the_text(text):
    """Spans lie within the text, in order, apart; no found secret survives; redacting twice is redacting once."""
    findings = find(text)
    ends = [0]
    for each in findings:
        assert ends[-1] <= each.span.start < each.span.end <= len(text)
        ends.append(each.span.end)
    redacted = redact(text)
    assert redacted.findings == findings
    assert find(redacted.text) == ()
    assert redact(redacted.text).text == redacted.text
    for each in findings:
        assert text[each.span.start : each.span.end] not in redacted.text


LINES = st.lists(st.lists(PIECES, max_size=4).map("".join), max_size=8).map("\n".join)


@settings(max_examples=100, deadline=None)
@given(LINES, LINES)
def test_lines_known_to_be_clean_change_no_answer(first, second):
    """A text is answered as if it were the first, whatever clean lines were met before."""
    from waybook.secrets.find import _look

    find(first)
    assert find(f"{first}\n{second}") == _look(f"{first}\n{second}")[0]
    assert find(second) == _look(second)[0]
