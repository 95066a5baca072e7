"""Telling a secret's value from a placeholder, a documentation value, an identifier, a path or code."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from itertools import pairwise

PLACEHOLDER_WORDS = (
    "example", "sample", "placeholder", "changeme", "change-me", "change_me", "dummy", "fake", "redacted", "insert",
    "replace", "your-", "your_", "yours", "yourpass", "yourtoken", "yoursecret", "yourkey", "yourapi", "my-", "my_",
    "mypass", "mytoken", "mysecret", "mykey", "-here", "_here", "todo", "xxxxx", "****", "....", "...", "foobar",
    "notreal", "not-a-", "not_a_", "deadbeef", "cafebabe", "testtoken", "test-", "test_", "-test", "_test", "testing",
    "testkey", "testpass", "testsecret", "mock", "lorem", "default", "undefined", "somepass", "somesecret", "some-",
    "some_", "hidden", "masked", "obfuscated", "process.env", "import.meta", "environ", "getenv", "secrets.", "vault:",
)  # fmt: skip
"""A value that holds one of these (any case) is somebody's stand-in. Random text of 40 letters holds one by accident
about once in a hundred thousand times."""

TOKEN_PLACEHOLDER_WORDS = (
    "example", "placeholder", "changeme", "redacted", "xxxxx", "****", "...", "your-", "your_", "yourtoken",
    "-here", "_here", "dummy", "foobar", "deadbeef", "insert", "notreal", "fake_", "fake-", "sample", "replace",
    "00000000", "11111111",
)  # fmt: skip
"""The same for a token whose shape already speaks for itself."""

_COMMON = re.compile(
    r"(?>pass(?:w(?:or)?d|wd|phrase)?|p4ss|p@ss(?:w(?:or|0r)d)?|pa55w0rd|passw0rd|w0rd|pwd|pw|s3cr3t|s3cret|secret|secure|"
    r"token|api|key|auth|test|admin|root|user(?:name)?|guest|login|letmein|welcome|qwerty|hunter|hello|world|default|dev|"
    r"def|local|docker|postgres|mysql|redis|mongo|rabbit|minio|demo|foo|bar|baz|abc|my|the|new|old|super|strong|"
    r"invalid|valid|value|very|wrong|correct|good|bad|string|top|long|enough|min|max|characters?|chars?|changeit|change|"
    r"confirm|current|encrypted|hashed|plain|and|an|a|is|not|of|or|in|to|me|it|\d+|[!@#$%^&*_.-])++",
    re.IGNORECASE,
)
_ALGORITHM = re.compile(
    r"(?i)(?:^|[-_./:])(?:sha-?\d+|md5|bcrypt|s?crypt\d*|argon2\w*|pbkdf2\w*|hmac\w*|base(?:16|32|58|62|64)\w*|"
    r"oauth2?\w*|utf-?\d+|[hrep]s\d{3}|aes\d*|rsa\d*|ed25519|x509|pkcs\d+|ipv[46]|http2|uuid\w*|jwt|k8s|i18n|"
    r"gpt\d*|claude|v\d+|ascii|iso\d*)(?=$|[-_./:])",
)
_CODE = re.compile(
    r"[(){}<>\[\]|\\]|\$\w|^[$%@&*#!~]|\.\.|=>|->|::|^\w+(?:\.[A-Za-z_]\w*)+$|%[A-Za-z_]\w*%|^[-=.,:;]|,\S*,|^\W*$|…|\?\?",
)
_PATH = re.compile(
    r"^(?:\.{0,2}/|~/?|[A-Za-z]:[\\/]|[a-z][a-z0-9+.-]*://|file:|env:|op:|ref\+)|(?:/[\w.-]+){2,}|^[\w-]+(?:/[\w.-]+)*\.[a-z]{1,5}\d?$"
)
_DATE = re.compile(r"^\W*\d{1,4}[-/.:]\d{1,2}(?:[-/.:T]\d+)*Z?\W*$|^v?\d+(?:[._-]\d+)*(?:[a-z]{1,6}\d*)?[+%]?$")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX = re.compile(r"[0-9a-fA-F]+")
_HEX_PARTS = re.compile(r"[0-9a-fA-F]+(?:[-_][0-9a-fA-F]+)*")
_SHORT_ID = re.compile(r"[a-z]{1,12}[-_][0-9a-f]{8,24}")
_SEGMENT = re.compile(r"[A-Za-z0-9]+")
_RUNS = re.compile(r"[a-z]+|[A-Z]+|[0-9]+")
_ASCENDING = 7  # neighbours in a row, as in "abcdefgh" or "12345678"; keyboards and counters, not chance

_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_KEY64 = re.compile(r"[A-Za-z0-9+/]{32,}={0,2}")

_STRONG_KINDS = 3  # of lower case, upper case, digits and symbols
_STRONG_LENGTH = 8
_LONG = 12
_RANDOM_PIECE = 2.9  # letters between two capitals: random text has about 2.3, names in camel case four and more
_KEY64_PIECE = 2.6
MIN_RANDOM = 16
_MIN_SEGMENT = 12
_MIN_PASSWORD = 6
_MAX_PASSWORD = 128


def entropy(value: str) -> float:
    """Shannon's entropy of the characters, in bits for each character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values()) if size else 0.0


def counts_up(value: str) -> bool:
    """Whether the value holds a run such as `abcdefgh`, `12345678` or `aaaaaaaa`, or repeats one short piece."""
    codes = value.lower().encode("ascii", "replace")
    same = rising = 0
    for left, right in pairwise(codes):
        same = same + 1 if right == left else 0
        rising = rising + 1 if right == left + 1 else 0
        if max(same, rising) >= _ASCENDING:
            return True
    return len(value) >= 12 and any(value == (value[:size] * len(value))[: len(value)] for size in range(1, 6))  # noqa: PLR2004 - a short piece, seen at least twice


_DOCUMENTED = frozenset({
    "6c96130f130ab0d6d158397e", "00cf4c781dc37003f7c7dd7d", "ca7459e2b26776de081b9a07", "b8e148545b13c78bc74da2f1",
    "e9974c507d2a802143f614c8",  # RFC 6749 and 6750
    "d167410a16865cd6463a0003", "9d03b692e941d5ace207a9f8",  # RFC 5849
    "2cafc0970149a84f3b9e62ea", "f2d6ca16515033e5dce14eba",  # Stripe's manual
})  # fmt: skip
"""Values that standards and manuals print, as the first half of their SHA-256: nobody's secret, however random."""


def documented(value: str) -> bool:
    """Whether a standard or a vendor's manual prints this very value."""
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()[:24] in _DOCUMENTED


def stands_in_token(value: str) -> bool:
    """Whether a value with a vendor's token shape is a stand-in: an `EXAMPLE`, `xxxxx`, dots, a counter, few letters."""
    low = value.lower()
    if any(word in low for word in TOKEN_PLACEHOLDER_WORDS) or counts_up(value) or documented(value):
        return True
    body = max(_SEGMENT.findall(value), key=len, default="")
    return len(set(body)) <= 5  # noqa: PLR2004 - sixteen random characters have five different ones once in a billion times


def stands_in(value: str) -> bool:
    """Whether the value of an assignment is a stand-in, code, a path, a digest's name, a date, a number."""
    low = value.lower()
    return bool(
        any(word in low for word in PLACEHOLDER_WORDS)
        or _CODE.search(value)
        or _PATH.search(value)
        or _DATE.match(value)
        or _COMMON.fullmatch(value)
        or _ALGORITHM.search(value)
        or _UUID.search(value)
        or counts_up(value)
        or documented(value)
    )


def plausible_password(value: str, *, strict: bool = False) -> bool:
    """Whether the value of something called a password may be one: letters and digits, or a strong mix with symbols.

    `strict` asks for more, for places where only the wording says "password".
    """
    if not _MIN_PASSWORD <= len(value) <= _MAX_PASSWORD or not _password_mix(value, strict=strict):
        return False
    return not stands_in(value)


def _password_mix(value: str, *, strict: bool) -> bool:
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    kinds = any(map(str.islower, value)) + any(map(str.isupper, value)) + (digits > 0) + (digits + letters < len(value))
    if not letters:
        return False
    if kinds >= _STRONG_KINDS and len(value) >= _STRONG_LENGTH and not _reads_as_words(value):
        return True
    if strict:
        return digits > 1 and len(value) >= _LONG
    return (digits > 0 and not _one_word_and_number(value)) or (len(value) >= _LONG and _mixes_case(value))


def _mixes_case(value: str) -> bool:
    """Whether capitals fall at random rather than at the heads of words, as in no `camelCaseName`."""
    pieces = _CAMEL.findall(value)
    return bool(pieces) and value.isalpha() and len(value) / len(pieces) <= _RANDOM_PIECE and not value.isupper()


def _reads_as_words(value: str) -> bool:
    """Whether it is words joined by single marks, perhaps with a mark at the end: `Sign-in`, `Don't`, `Passwort:`."""
    return re.fullmatch(r"[A-Za-z]+(?:['\-_/.:& ][A-Za-z]+)*[\W]{0,2}", value) is not None


def _one_word_and_number(value: str) -> bool:
    """Whether it is an identifier such as `step2`, `admin_v2` or `user-1` rather than a password."""
    return re.fullmatch(r"[a-z]{1,12}[-_.]?v?\d{1,2}|[a-z]+(?:[-_][a-z]+){0,2}[-_]?v?\d", value) is not None and not (
        value.count("-") >= 2  # noqa: PLR2004 - a passphrase of several words
    )


def _has_random_segment(value: str) -> bool:
    for segment in _SEGMENT.findall(value):
        if len(segment) < _MIN_SEGMENT:
            continue
        runs = _RUNS.findall(segment)
        digits = sum(c.isdigit() for c in segment)
        if digits >= 2 and digits < len(segment) and len(runs) >= 4 and entropy(segment) >= 3:  # noqa: PLR2004 - measured on words and on tokens
            return True
    return False


def looks_random(value: str) -> bool:
    """Whether the value has the texture of generated key material, at least 16 characters of it."""
    if len(value) < MIN_RANDOM:
        return False
    if _HEX.fullmatch(value):
        return entropy(value) >= 3  # noqa: PLR2004 - sixteen different digits give 4, counters and stand-ins far less
    return _has_random_segment(value) and entropy(value) >= 3.2  # noqa: PLR2004 - measured on words and on tokens


def random_value(value: str) -> bool:
    """Whether the value of something called a token, key or secret may be one."""
    if _is_key64(value):
        return not stands_in_token(value)
    tail = re.split(r"[_-]", value)[-1]
    letters_only = len(tail) >= MIN_RANDOM and _mixes_case(tail)
    return (looks_random(value) or letters_only) and not stands_in(value)


def _is_key64(value: str) -> bool:
    """Whether it is base64 of key material: its slashes make no path, since its letters make no words."""
    if _KEY64.fullmatch(value) is None or entropy(value) < 4:  # noqa: PLR2004 - 32 random characters have 4.5 and more
        return False
    pieces = _CAMEL.findall(value)
    return len(pieces) > 4 and sum(map(len, pieces)) / len(pieces) <= _KEY64_PIECE  # noqa: PLR2004 - enough to tell


def plain_digest(value: str) -> bool:
    """Whether the value is only a digest or an identifier: hexadecimal digits, in parts (a UUID) or marked (`vpc-...`)."""
    return _HEX_PARTS.fullmatch(value) is not None or _SHORT_ID.fullmatch(value) is not None
