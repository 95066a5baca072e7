"""Secrets that show by what they are called: assignments, prose, headers, command options, URLs.

`password = "..."`, `API_KEY=...`, `"client_secret": "..."`, `the password is ...`, `Authorization: Bearer ...`,
`--token ...`, `curl -u name:...`, `scheme://name:...@host`. All work on the ASCII shadow of a text (one character for
one), found by plain substring searches: a text without such words costs some microseconds.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from waybook.secrets.tokens import Found
from waybook.secrets.values import documented, plausible_password, random_value, stands_in, stands_in_token

if TYPE_CHECKING:
    from collections.abc import Iterator

_STEMS = ("passw", "passp", "passc", "pwd", "secret", "token", "key", "credential", "_auth")
_BACK = 64  # characters of a name before its stem
_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-")
_NAME_AFTER = re.compile(r"[A-Za-z0-9_-]{0,40}")
_SECOND_WORD = re.compile(
    r"(api|access|secret|private|auth|account|encryption|signing|master|license|service)[ ]$", re.IGNORECASE
)
_OPERATOR = re.compile(
    r"""\\?["'`*\])]{0,3}[ \t]{0,4}"""
    r"""(?P<op>:=|=>|->|===?|=|:(?!:)|>(?=[^\s>])|\|[ \t]|"""
    r"""(?:[ \t]base)?(?:[ \t](?:for|to|of|on|in)(?:[ \t][\w.'/-]{1,30}){1,4})?[ \t](?:is|was|are|equals)(?:[ \t](?:now|still|set[ \t]to|just))?[:]?(?=[ \t]))"""
    r"""[ \t]{0,8}(?:\*\*[ \t]?)?""",
)
_QUOTED = re.compile(r"""(?P<open>\\?["'`])(?P<value>[^\n"'`\\]{4,500})(?P=open)""")
_BARE = re.compile(r"""[^\s"'`;<\\]{6,500}""")
_TRAILING = ".,:;)]}>*_|?"
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_QUALIFIERS = frozenset(
    {
        "prod",
        "production",
        "staging",
        "stage",
        "live",
        "dev",
        "value",
        "string",
        "text",
        "base",
        "current",
        "old",
        "new",
        "raw",
    }
)
_PASSWORD_WORDS = frozenset({"password", "passwd", "pwd", "passphrase", "passcode", "passwort"})
_RANDOM_WORDS = frozenset(
    {
        "secret",
        "token",
        "apikey",
        "secretkey",
        "accesskey",
        "authtoken",
        "accesstoken",
        "credential",
        "credentials",
        "auth",
    }
)
_KEY_OWNERS = frozenset({
    "api", "access", "secret", "private", "auth", "account", "encryption", "signing", "master", "license", "service",
    "shared", "storage", "app", "application", "subscription", "admin", "client", "function", "host", "webhook",
    "deploy", "deployment", "root", "session", "hmac", "jwt", "crypto", "cipher", "aes", "ssh", "server", "integration",
    "sharedaccess",
})  # fmt: skip
_LOGIN = re.compile(r"\blogin[ \t]+\S{1,80}[ \t]+$")


def named(flat: str, low: str) -> Iterator[Found]:
    """Values of things that are called a password, a secret, a token or a key. `low` is `flat` in lower case."""
    for stem in _STEMS:
        place = low.find(stem)
        while place >= 0:
            after = _NAME_AFTER.match(flat, place)
            end = after.end() if after else place + len(stem)
            found = _value_of(flat, place, end)
            if found is not None:
                yield found
            place = low.find(stem, end)


def _value_of(flat: str, place: int, end: int) -> Found | None:
    operator = _OPERATOR.match(flat, end)
    spaced = operator is None and flat[end : end + 1] in {" ", "\t"}
    if operator is None and not spaced:
        return None
    start, first = place, max(0, place - _BACK)
    while start > first and flat[start - 1] in _NAME_CHARACTERS:
        start -= 1
    if spaced and not (flat.startswith("--", start) or _LOGIN.search(flat, max(0, start - 100), start)):
        return None
    kind = _kind(_owner(flat, start) + flat[start:end])
    if kind is None:
        return None
    if operator is None:
        return _judge(flat, end + 1, kind, " ", prose=False)
    return _judge(flat, operator.end(), kind, operator["op"], prose=operator["op"][0] in " \t")


def _owner(flat: str, start: int) -> str:
    """Give the word before a spaced name: `API key`, `secret key`."""
    match = _SECOND_WORD.search(flat, max(0, start - 12), start)
    return match[0].replace(" ", "_") if match else ""


def _kind(name: str) -> str | None:
    """`password` or `random` for a name whose last word names a secret; None for `token_count` or `primary_key`."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while words and (words[-1] in _QUALIFIERS or words[-1].isdigit()):
        words.pop()
    if not words:
        return None
    last = words[-1]
    if last in _PASSWORD_WORDS or any(last.endswith(word) for word in ("password", "passwd", "passphrase")):
        return "password"
    if last in _RANDOM_WORDS or last.endswith(("apikey", "token", "secret")):
        return "random"
    if last == "key" and len(words) > 1 and words[-2] in _KEY_OWNERS and "public" not in words:
        return "random"
    return None


def _judge(flat: str, place: int, kind: str, operator: str, *, prose: bool) -> Found | None:
    quoted = _QUOTED.match(flat, place)
    if quoted is not None:
        start, end, value = quoted.start("value"), quoted.end("value"), quoted["value"]
    else:
        bare = _BARE.match(flat, place)
        if bare is None or operator.startswith("=="):
            return None
        start, value = bare.start(), bare[0]
        if operator == "=" and "&" in value:
            value = value.partition("&")[0]
        value = value.rstrip(_TRAILING)
        end = start + len(value)
    if kind == "password":
        if " " in value:
            return None
        good = plausible_password(value, strict=prose and quoted is None and "-" not in value)
        return Found("password", start, end) if good else None
    scheme = value.partition(" ")
    if scheme[1] and scheme[0].lower() in {"bearer", "token", "basic"}:
        start, value = end - len(scheme[2]), scheme[2]
    return Found("secret-value", start, end) if random_value(value) else None


_HEADER = re.compile(
    r"(?P<scheme>bearer|basic|token)(?::|[ \t]+|%20)(?P<value>[\w.~+/=-]{8,2000})", re.IGNORECASE | re.ASCII
)


def headers(flat: str, low: str) -> Iterator[Found]:
    """Credentials behind an authorization scheme: `Bearer ...`, `Basic ...`."""
    for scheme in ("bearer", "basic "):
        place = low.find(scheme)
        while place >= 0:
            match = _HEADER.match(flat, place)
            if match is not None and (random_value(match["value"]) if scheme == "bearer" else _basic(match["value"])):
                yield Found("authorization-header", match.start("value"), match.end("value"))
            place = low.find(scheme, place + len(scheme))


def _basic(value: str) -> bool:
    try:
        name, colon, password = (
            base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("ascii").partition(":")
        )
    except (ValueError, binascii.Error):
        return False
    return bool(colon) and name.isprintable() and plausible_password(password) and not documented(value)


_USER_OPTION = re.compile(r"""-u(?:ser)?[ \t=]{1,3}["']?[\w.@+-]{1,64}:(?P<value>[^\s"'`]{6,200})""", re.ASCII)


def user_options(flat: str) -> Iterator[Found]:
    """Passwords in `curl -u name:password`, `--user`, `--proxy-user`."""
    place = flat.find("-u")
    while place >= 0:
        match = _USER_OPTION.match(flat, place)
        if match is not None and plausible_password(match["value"]):
            yield Found("password", match.start("value"), match.end("value"))
        place = flat.find("-u", place + 2)


_USERINFO = re.compile(r"://(?P<name>[^\s/@:?#\"'`<>()]{0,256})(?::(?P<password>[^\s/@\"'`<>]{1,256}))?@(?=[\w\[$])")


def userinfo(flat: str) -> Iterator[Found]:
    """Passwords and tokens in a URL's user part: `postgres://name:password@host`, `https://token@host`."""
    place = flat.find("://")
    while place >= 0:
        match = _USERINFO.match(flat, place)
        if match is not None:
            password, name = match["password"], match["name"]
            several_hosts = password is not None and re.match(r"\d+,", password)
            if password is not None and not several_hosts and plausible_password(password):
                yield Found("url-password", match.start("password"), match.end("password"))
            elif name and len(name) >= 20 and random_value(name):  # noqa: PLR2004 - shorter ones are people's names
                yield Found("url-token", match.start("name"), match.end("name"))
        place = flat.find("://", place + 3)


_CONNECTION = re.compile(r"(?<=Key)=(?P<value>[A-Za-z0-9+/]{32,}={0,2})")
_SIGNATURE = re.compile(r"[?&]sig=(?P<value>[A-Za-z0-9%+/]{32,}(?:%3D|=){0,2})")


def connections(flat: str) -> Iterator[Found]:
    """Keys in Azure connection strings and shared access signatures."""
    if "AccountKey=" in flat or "SharedAccessKey=" in flat:
        for match in _CONNECTION.finditer(flat):
            if not stands_in_token(match["value"]):
                yield Found("connection-key", match.start("value"), match.end("value"))
    if "sig=" in flat:
        for match in _SIGNATURE.finditer(flat):
            if not stands_in_token(match["value"]):
                yield Found("signed-url", match.start("value"), match.end("value"))


_CJK = re.compile(
    r"(?:密码|口令|密码短语|パスワード|비밀번호)(?:是|为|は|が|:|\uff1a|=)[ \t]{0,2}[\"'`“「]?(?P<value>[!-~]{6,200})"
)
_CJK_STEMS = ("密码", "口令", "パスワード", "비밀번호")


def cjk(text: str) -> Iterator[Found]:
    """Passwords named in Chinese, Japanese or Korean."""
    if text.isascii() or not any(stem in text for stem in _CJK_STEMS):
        return
    for match in _CJK.finditer(text):
        value = match["value"].rstrip(_TRAILING + "\"'`")
        if plausible_password(value) and not stands_in(value):
            yield Found("password", match.start("value"), match.start("value") + len(value))
