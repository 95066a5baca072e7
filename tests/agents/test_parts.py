"""The parts that profiles share: globs, Markdown regions, front matter, settings, walks."""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.agents.parts import globs, imports
from waybook.agents.parts.frontmatter import parse, simple_lines
from waybook.agents.parts.markdown import masked, regions, without, without_comments
from waybook.agents.parts.settings import argument, jsonc, toml
from waybook.agents.parts.trust import recorded
from waybook.agents.parts.walk import ancestors, down, inside, relative
from waybook.workspace.box import Box


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("a/**", "a/b/c", True), ("a/**", "a", False), ("**/x", "x", True), ("**/x", "a/b/x", True), ("a/**/x", "a/x", True),
        ("*.{py,ts}", "a.ts", True), ("{1..3}.md", "2.md", True), ("?.md", "a.md", True), ("[!a].md", "a.md", False),
        ("*", "a/b", False), ("*.md", ".a.md", False), ("!a/**", "b/c", True), ("!a/**", "a/c", False),
        ("**/w/x.md", "/h/w/x.md", True), ("x.md", "/x.md", False), ("/h/*.md", "/h/x.md", True), ("[", "[", True),
    ],
)  # fmt: skip
def test_minimatch(pattern: str, path: str, matches) -> None:
    assert globs.minimatch(pattern, path) is matches


@pytest.mark.parametrize(
    ("patterns", "path", "taken"),
    [
        (["a/"], "a/x", True), (["a/"], "a", False), (["*.log", "!keep.log"], "keep.log", False), (["/b"], "a/b", False),
        (["b"], "a/b/c", True), (["a/b"], "x/a/b", False), (["# c", ""], "c", False), (["a", "!a/x"], "a/x", True),
        (["**/t"], "q/t", True), (["a/**"], "a/x/y", True), (["\\!x"], "!x", True), (["x "], "x", True),
    ],
)  # fmt: skip
def test_ignore_patterns(patterns: list[str], path: str, taken) -> None:
    assert globs.ignored(patterns, path) is taken


def test_braces_are_bounded() -> None:
    assert len(globs.alternatives("{a,b,c,d,e,f,g,h,i,j}" * 12)) <= globs.MAX_ALTERNATIVES
    assert globs.alternatives("a{b,{c,d}}e") == ["abe", "ace", "ade"]
    assert globs.split_commas("a, {b,c} ,d") == ["a", "{b,c}", "d"]


@given(st.text(alphabet="ab*?[]{}!/.,\\-^", max_size=24), st.text(alphabet="ab/.", max_size=16))
def test_no_pattern_breaks_the_globs(pattern: str, path: str) -> None:
    assert isinstance(globs.minimatch(pattern, path), bool)
    assert isinstance(globs.ignored([pattern], path, fold=True), bool)


@given(st.text(alphabet='@a./ `~\n-<>!*"#\\ \t()', max_size=200))
def test_no_text_breaks_the_markdown_parts(text: str) -> None:
    """Regions are in bounds and masking keeps every offset."""
    assert all(0 <= region.start <= region.end <= len(text) for region in regions(text))
    assert len(masked(text, "fence", "tilde", "indented", "span", "comment", "remark")) == len(text)
    assert len(without(text, "comment")) <= len(text)
    for find in (imports.claude, imports.copilot, imports.gemini, imports.qwen):
        assert all(isinstance(path, str) for path in find(text))


def test_regions_are_told_apart() -> None:
    text = "a `s` <!-- r -->\n\n```\nf\n```\n~~~\nt\n~~~\n\n    i\n\n- l\n\n    not code\n\n<!-- c\n-->\n"
    assert [region.kind for region in regions(text)] == ["span", "remark", "fence", "tilde", "indented", "comment"]


@pytest.mark.parametrize(
    ("text", "found"),
    [("@a.md", ("a.md",)), ("x @a.md y", ("a.md",)), ("**@a.md**", ("a.md",)), ("- @~/a.md", ("~/a.md",)), ("@my\\ a.md", ("my a.md",)),
     ("@a.md#part", ("a.md",)), ("(@a.md)", ()), ('"@a.md"', ()), ("x@a.md", ()), ("`@a.md`", ()), ("```\n@a.md\n```", ()),
     ("<!-- @a.md -->", ()), ("@a.png", ()), ("@a.md.", ()), ("@noext", ("noext",)), ("@x.json", ("x.json",))],
)  # fmt: skip
def test_claude_imports(text: str, found: tuple[str, ...]) -> None:
    assert imports.claude(text) == found


@pytest.mark.parametrize(
    ("text", "data", "error"),
    [
        ("---\na: 1\n---\nb", {"a": 1}, False),
        ("---\n---\nb", {}, False),
        ("---\na: [\n---\n", {}, True),
        ("---\n- a\n---\n", {}, False),
    ],
)
def test_front_matter(text: str, data: dict[str, int], error) -> None:
    front = parse(text)
    assert (front.present, dict(front.data), front.error is not None) == (True, data, error)


def test_what_is_no_front_matter() -> None:
    assert not any(parse(text).present for text in ("", "a", "\n---\na: 1\n---\n", "---\na: 1\n", "----\na: 1\n---\n"))
    assert simple_lines("paths: **/*.py\nx") == {"paths": "**/*.py"}


@given(st.text(max_size=120))
def test_no_text_breaks_front_matter(text: str) -> None:
    parse(f"---\n{text}\n---\n")


def test_settings_are_read_tolerantly(tmp_path) -> None:
    box = Box(str(tmp_path))
    (tmp_path / "a.json").write_text('{\n // c\n "a": "http://x", /* d */ "b": [1, 2,],\n}')
    (tmp_path / "b.json").write_text("{")
    (tmp_path / "c.toml").write_text("= broken")
    assert jsonc(box, "/a.json") == {"a": "http://x", "b": [1, 2]}
    assert (jsonc(box, "/b.json"), jsonc(box, "/none"), toml(box, "/c.toml")) == ({}, {}, {})


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=12), max_size=4))
def test_plain_json_reads_as_itself(tmp_path_factory, value: dict[str, str]) -> None:
    folder = tmp_path_factory.mktemp("json")
    (folder / "x.json").write_text(json.dumps(value))
    assert jsonc(Box(str(folder)), "/x.json") == value


def test_arguments_are_found_in_every_form() -> None:
    assert argument(["--d", "a", "b", "--e", "c", "--d=f"], "--d") == ["a", "b", "f"]


def test_the_longest_trust_entry_decides() -> None:
    entries = {"/a": "DO_NOT_TRUST", "/a/b": "TRUST_FOLDER", "/a/c/d": "TRUST_PARENT", "/x": "?"}
    assert [recorded(entries, place) for place in ("/a", "/a/b/c", "/a/c", "/x")] == [False, True, True, None]


def test_walks() -> None:
    assert ancestors("/a/b") == ("/a/b", "/a", "/")
    assert (down("/a", "/a/b/c"), down("/x", "/a")) == (("/a", "/a/b", "/a/b/c"), ())
    assert (inside("/ab", "/a"), inside("/a", "/"), relative("/a/b", "/a"), relative("/a", "/")) == (
        False,
        True,
        "b",
        "a",
    )


@pytest.mark.parametrize(
    "text",
    ["<!-- " * 60_000 + "@a", "@a " + "".join("`" * n + " a " for n in range(1, 500)), "`" * 200_000 + "@a", "@a\n" * 50_000, "> " * 90_000 + "@a",
     "- " * 90_000 + "@a", "*" * 200_000 + "@a", "---\n" + "a: *" + " " * 60_000 + "x\n---\n@a"],
)  # fmt: skip
def test_hostile_texts_do_not_take_long(text: str) -> None:
    """Work grows with the length of a text, not with its square."""
    began = time.process_time()
    for find in (imports.claude, imports.copilot, imports.gemini, imports.qwen):
        find(text)
    assert len(without(text, "comment")) <= len(text)
    assert len(without_comments(text)) <= len(text)
    simple_lines(parse(text).raw)
    assert time.process_time() - began < 2


def test_hostile_patterns_do_not_take_long() -> None:
    began = time.process_time()
    for pattern in (
        "*a" * 60 + "b",
        "**/" * 200 + "b",
        "**/a/" * 60 + "b",
        "{a,b}" * 100,
        "[" * 1000,
        "?" * 300 + "*" * 300,
    ):
        globs.minimatch(pattern, "a/" * 200 + "a" * 250, dot=True)
        globs.ignored([pattern], "a/" * 200 + "a" * 250)
    assert time.process_time() - began < 2


def test_hostile_settings_do_not_take_long(tmp_path) -> None:
    began = time.process_time()
    for number, text in enumerate(("/*" * 200_000, '"' + "\\" * 200_000, "," * 200_000, "[" * 100_000)):
        (tmp_path / f"{number}.json").write_text(text)
        assert jsonc(Box(str(tmp_path)), f"/{number}.json") == {}
    assert time.process_time() - began < 2


@given(st.text(alphabet="`a", max_size=40))
def test_backticks_protect_as_the_pattern_of_gemini_does(text: str) -> None:
    """The linear scan finds what the program's own expression finds."""
    expected = [match.span() for match in re.finditer(r"(`+)(.*?)\1", text, re.DOTALL)]
    assert imports._backticked(text) == expected
