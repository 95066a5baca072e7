"""The ignore file's patterns: Go's `path.Match`, plus the trailing slash."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.base.errors import DiscoveryError
from waybook.instructions.ignore import IgnoreRules, compile_pattern, parse_ignore


def matches(pattern: str, path: str, *, fold_case: bool = False) -> bool:
    return IgnoreRules(parse_ignore(pattern), present=True, fold_case=fold_case).match(path) is not None


@pytest.mark.parametrize(
    ("pattern", "path", "wanted"),
    [
        ("AGENTS.md", "AGENTS.md", True),
        ("AGENTS.md", "a/b/AGENTS.md", True),
        ("a/AGENTS.md", "a/AGENTS.md", True),
        ("a/AGENTS.md", "b/a/AGENTS.md", False),
        ("./a//AGENTS.md", "a/AGENTS.md", True),
        ("*.md", "a/b.md", True),
        ("a/*", "a/b/c.md", False),
        ("**/x.md", "a/x.md", True),
        ("**/x.md", "a/b/x.md", False),
        ("**/x.md", "x.md", False),
        ("a?c", "abc", True),
        ("a?c/x", "a/c/x", False),
        ("[a-c]x", "bx", True),
        ("[^a-c]x", "bx", False),
        ("[^a-c]x", "dx", True),
        ("a[^b]c/d", "a/c/d", True),
        ("[z-a]x", "mx", False),
        ("[abc", "a", False),
        ("[]a]", "]", False),
        ("[-a]", "a", False),
        ("[a-]", "a", False),
        ("[!a]x", "!x", True),
        ("a.b", "axb", False),
        ("(a|b)+", "a", False),
        ("*a*b", "xaayb", True),
        ("*a*b", "xaaybz", False),
        ("a*", "a\nb", True),
        ("drafts/", ".prayu/rules/drafts/x/y.md", True),
        ("drafts/", "drafts", True),
        (".prayu/rules/d*/", ".prayu/rules/drafts/y.md", True),
        (".prayu/rules/d*/", ".prayu/rules/other/drafts.md", False),
        ("rules/drafts/", ".prayu/rules/drafts/y.md", False),
        ("agents.md", "AGENTS.md", False),
    ],
)
def test_matching(pattern, path, wanted):
    """One row per rule."""
    assert matches(pattern, path) is wanted


def test_windows_folds_case():
    """Both sides are casefolded there."""
    assert matches("Agents.MD", "a/AGENTS.md", fold_case=True)


@pytest.mark.parametrize("line", ["/a", "a\\b", "a..b", "..", "!a", ".", "./", "./."])
def test_bad_lines(line):
    """A bad pattern is named with its line."""
    with pytest.raises(DiscoveryError) as caught:
        parse_ignore(f"# one\n\n  {line}  \n")
    assert caught.value.code == "ignore-file-invalid"
    assert caught.value.details == {"line": 3, "pattern": line}


def test_128_patterns_pass_and_129_do_not():
    """Comments and blank lines do not count."""
    text = "# c\n\n" + "".join(f"p{number}\n" for number in range(128))
    assert len(parse_ignore(text)) == 128
    with pytest.raises(DiscoveryError) as caught:
        parse_ignore(text + "one-more\n")
    assert (caught.value.limit, caught.value.details["line"]) == (128, 131)


@given(st.text(st.characters(exclude_characters="*?[/\\\0", exclude_categories=["Cs"]), min_size=1))
def test_a_pattern_without_wildcards_matches_itself_only(text):
    """Every other character stands for itself."""
    compiled = compile_pattern(text)
    assert compiled.fullmatch(text)
    assert not compiled.fullmatch(text + "x")


def reference(pattern: str, name: str) -> bool:
    """`*`, `?` and plain characters by the definition, trying every split."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return reference(pattern[1:], name) or (name[:1] not in {"", "/"} and reference(pattern, name[1:]))
    return (
        bool(name)
        and (pattern[0] == name[0] or (pattern[0] == "?" and name[0] != "/"))
        and reference(pattern[1:], name[1:])
    )


@given(st.text("ab/*?", max_size=8), st.text("ab/", max_size=8))
def test_stars_agree_with_the_definition(pattern, name):
    """Taking each piece at its first place loses no match."""
    assert bool(compile_pattern(pattern).fullmatch(name)) is reference(pattern, name)


@given(st.text())
def test_any_text_parses_or_is_refused(text):
    """Nothing but a DiscoveryError comes out, and matching never fails."""
    try:
        patterns = parse_ignore(text)
    except DiscoveryError:
        return
    IgnoreRules(patterns, present=True).match("a/b/AGENTS.md")


def test_no_pattern_is_slow():
    """Many stars against a long name stay fast."""
    begun = time.process_time()
    assert not compile_pattern("*a" * 2000 + "b").fullmatch("a" * 4000)
    assert time.process_time() - begun < 2
