"""Targets stay inside; roots are real directories."""

from __future__ import annotations

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.base.errors import DiscoveryError
from waybook.workspace.paths import clean_target
from waybook.workspace.roots import check_root, find_root
from workspace.trees import Folder, Link, lay


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("", "."),
        (".", "."),
        ("a/..", "."),
        ("src/../src/a.py", "src/a.py"),
        ("./a//b/", "a/b"),
        ("src/..data/b.py", "src/..data/b.py"),
        ("src/v1..v2.py", "src/v1..v2.py"),
        ("a\\b", "a\\b"),
        ("...", "..."),
    ],
)
def test_cleaning(raw, wanted):
    """Only a real `..` component moves up."""
    assert clean_target(raw) == wanted


@pytest.mark.parametrize(
    ("raw", "code", "words"),
    [
        ("../x", "escapes-workspace", "escapes the workspace"),
        ("src/../../outside/x.py", "escapes-workspace", "escapes the workspace"),
        ("a/../../a", "escapes-workspace", "escapes the workspace"),
        ("/etc/hostname", "invalid-target", "invalid target"),
        ("src/a\0.py", "invalid-target", "invalid target"),
        ("a\udcff", "invalid-target", "invalid target"),
    ],
)
def test_refusals(raw, code, words):
    """Escapes and invalid targets are told apart."""
    with pytest.raises(DiscoveryError) as caught:
        clean_target(raw)
    assert caught.value.code == code
    assert words in caught.value.message


@given(st.text("ab./", max_size=20))
def test_cleaning_agrees_with_the_standard_library(raw):
    """For relative paths that stay inside, the result is normpath's; all others are refused."""
    expected = posixpath.normpath(raw)
    try:
        assert clean_target(raw) == expected
        assert clean_target(expected) == expected
    except DiscoveryError as error:
        if error.code == "invalid-target":
            assert raw.startswith("/")
        else:
            # stricter than normpath nowhere: refused only where some prefix leads above the root
            assert any(
                posixpath.normpath("/".join(raw.split("/")[:count])).startswith("..")
                for count in range(1, raw.count("/") + 2)
            )


def test_find_root(tmp_path):
    """The nearest `.git` (a file too) or `.prayu` wins; else the start itself."""
    root = lay(
        tmp_path / "r",
        {
            "g/.git/HEAD": "",
            "g/sub/.git": "gitdir: x",
            "g/p/.prayu/x": "",
            "g/p/deep/x": "",
            "g/both/.prayu": Folder(),
            "g/both/.git": "",
        },
    )
    assert find_root(f"{root}/g/p/deep").path == f"{root}/g/p"
    assert find_root(f"{root}/g/p/deep").found_by == ".prayu"
    assert find_root(f"{root}/g/sub").found_by == ".git"
    assert find_root(f"{root}/g/nowhere/at/all").path == f"{root}/g"
    assert find_root(f"{root}/g/both").found_by == ".git"
    assert find_root("/").found_by == "current directory"


def test_check_root(tmp_path):
    """Real directories pass; empty, NUL, files, missing and linked ones are refused with a way out."""
    root = lay(tmp_path / "r", {"d/x": "", "link": Link("d"), "f": ""})
    assert check_root(f"{root}/d") == f"{root}/d"
    for bad in ("", "a\0b", f"{root}/f", f"{root}/none", f"{root}/link"):
        with pytest.raises(DiscoveryError) as caught:
            check_root(bad)
        assert caught.value.code == "bad-root"
        assert caught.value.hint
    with pytest.raises(DiscoveryError, match="symlink") as caught:
        check_root(f"{root}/link")
    assert f"{root}/d" in caught.value.hint
