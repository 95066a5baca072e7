"""File URIs: decoded once, one key for every spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.base.uris import path_to_uri, uri_key, uri_to_path

BASE = "file:///w/my%20repo%20%231%20100%25%20"


@pytest.mark.parametrize(
    ("uri", "wanted"),
    [
        (BASE + "%2B%20caf%C3%A9/a+b/50%2525.py", "/w/my repo #1 100% + café/a+b/50%25.py"),
        (BASE + "+%20caf%c3%a9/a%2Bb/50%2525.py", "/w/my repo #1 100% + café/a+b/50%25.py"),
        (BASE + "+/p%2541q/x.py", "/w/my repo #1 100% +/p%41q/x.py"),
        ("file://localhost/a", "/a"),
        ("FILE:///a", "/a"),
        ("file:/a", "/a"),
        ("file:///src/%2e%2e/x", "/src/../x"),
        ("file://server/share/a", None),
        ("untitled:Untitled-1", None),
        ("file:///a%zz", None),
        ("file:///a%00", None),
        ("file:///a%2Fb", None),
        ("git:/a", None),
        ("", None),
    ],
)
def test_posix(uri, wanted):
    """Percent escapes are decoded exactly once, `+` stays, hex case is free."""
    assert uri_to_path(uri, windows=False) == wanted


@pytest.mark.parametrize(
    ("uri", "wanted"),
    [
        ("file:///C:/Repo/a.py", "c:\\Repo\\a.py"),
        ("file:///c%3A/Repo/a.py", "c:\\Repo\\a.py"),
        ("file:///C:", "c:\\"),
        ("file://server/share/a.py", "\\\\server\\share\\a.py"),
        ("file:///c:/a%5Cb", None),
        ("file:///c:/%ff", None),
    ],
)
def test_windows(uri, wanted):
    """Drive letters fold and lose the leading slash; a UNC path keeps its host."""
    assert uri_to_path(uri, windows=True) == wanted


def test_keys():
    """Four spellings of a drive are one key there and four documents elsewhere; drives differ."""
    same = ["file:///C:/Repo/a.py", "file:///c:/Repo/a.py", "file:///c%3A/Repo/a.py", "file:///C%3a/Repo/a.py"]
    assert len({uri_key(uri, windows=True) for uri in same}) == 1
    assert uri_key("file:///d:/Repo/a.py", windows=True) != uri_key(same[0], windows=True)
    assert uri_key(same[0], windows=False) != uri_key(same[1], windows=False)
    assert uri_key("untitled:x", windows=False) == "untitled:x"


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_posix_round_trip(name):
    """Every path comes back from its URI, and its URI is its own key."""
    path = "/" + name
    uri = path_to_uri(path, windows=False)
    assert uri_to_path(uri, windows=False) == path
    assert uri.isascii()
    assert uri_key(uri, windows=False) == uri


@pytest.mark.parametrize("path", ["c:\\a b\\ü%20.md", "\\\\server\\share\\a.py"])
def test_windows_round_trip(path):
    """So does a Windows path."""
    assert uri_to_path(path_to_uri(path, windows=True), windows=True) == path


def test_undecodable_names_survive():
    """A POSIX name that is no UTF-8 keeps its bytes."""
    assert uri_to_path("file:///a%ff", windows=False) == "/a\udcff"
    assert path_to_uri("/a\udcff", windows=False) == "file:///a%FF"
