"""Parsed Markdown: every piece knows its place in the source."""

from hypothesis import given
from hypothesis import strategies as st

from waybook.analysis.markdown import front_matter, parse
from waybook.analysis.markdown_imports import candidates, imports, resolve
from waybook.analysis.prose import sentences

TEXT = """---
title: x
---
# Head `x/y` #

Para with `code a` and [link `z`](docs/a.md "t") and <https://x.y>
> quoted `q/r` <!-- note --> tail

- item @docs/a.md and ``b ` c``
  continued `d/e`

| A | B |
| --- | --- |
| `p/q` | see [k](m.md) |

<!-- alone -->
```py
x = "`not/code`"
```
"""


def pieces(text, kind):
    parsed = parse(text)
    found = [(block, piece) for block in parsed.blocks for piece in block.pieces if piece.kind == kind]
    return [(piece.text, text[slice(*span(block.source(piece.start, piece.end)))]) for block, piece in found]


def span(value):
    return value.start, value.end


def test_code_links_and_comments_are_placed():
    """The source at each piece's span is the construct itself, in headings, quotes, lists and tables."""
    assert pieces(TEXT, "code") == [
        ("x/y", "`x/y`"), ("code a", "`code a`"), ("z", "`z`"), ("q/r", "`q/r`"), ("b ` c", "``b ` c``"),
        ("d/e", "`d/e`"), ("p/q", "`p/q`"),
    ]  # fmt: skip
    assert [text for text, _ in pieces(TEXT, "link")] == ["docs/a.md", "m.md"]
    assert pieces(TEXT, "autolink") == [("https://x.y", "<https://x.y>")]
    assert [(text, TEXT[slice(*span(place))]) for place, text in parse(TEXT).comments] == [
        ("note", "<!-- note -->"),
        ("alone", "<!-- alone -->"),
    ]


def test_line_ends_make_no_difference():
    """CRLF and CR give the same pieces at their own offsets."""
    for ending in ("\r\n", "\r"):
        text = TEXT.replace("\n", ending)
        assert pieces(text, "code") == pieces(TEXT, "code")


def test_front_matter_begins_in_the_first_line_and_ends():
    """Anything else is text."""
    place = front_matter(TEXT)
    assert TEXT[slice(*span(place))] == "title: x\n"
    assert front_matter("\n---\na: b\n---\n") is None
    assert front_matter("---\na: b\n") is None
    assert front_matter("--- x\n---\n") is None


def test_imports_are_words_of_the_text():
    """Not in code, comments or fences, nor after a letter, a quote or a parenthesis."""
    text = '@a.md x@b.md (@c.md) "@d.md" **@e.md** `@f.md`\n- @g\\ h.md.\n<!-- @i.md -->\n\n```\n@j.md\n```\n'
    assert [(item.path, text[slice(*span(item.span))]) for item in imports(text)] == [
        ("a.md", "@a.md"),
        ("e.md", "@e.md"),
        ("g h.md", "@g\\ h.md"),
    ]
    assert {item.path for item in imports(text)} <= set(candidates(text))


def test_imports_resolve_from_their_file():
    """What leaves the workspace resolves to nothing."""
    assert resolve("a/CLAUDE.md", "../b.md") == "b.md"
    assert resolve("CLAUDE.md", "docs/./x.md") == "docs/x.md"
    for path in ("../x.md", "~/x.md", "/x.md", "a/../../x.md"):
        assert resolve("CLAUDE.md", path) is None


def test_sentences_end_at_marks_and_not_inside_code():
    """Lists, wrapped lines and Chinese; headings, tables and code hold none."""
    text = "# No. One.\nRun it. Use `a. B` here!\nThen\nstop.\n\n- 先测试。再提交\n\n```\nNo. Way.\n```\n"
    assert [item.normal for item in sentences(text)] == ["run it", "use a. b here", "then stop", "先测试", "再提交"]
    assert [text[slice(*span(item.span))] for item in sentences(text)][:2] == ["Run it.", "Use `a. B` here!"]


@given(st.text(alphabet="ab`*_[]()<>!-#|\\@. \n\r\t:/é中😀\u200b", max_size=120))
def test_any_text_parses_and_places_are_inside(text):
    """Parsing never fails; each code span's source holds its text, line by line."""
    parsed = parse(text)
    for block in parsed.blocks:
        assert 0 <= block.span.start <= block.span.end <= len(text)
        for piece in block.pieces:
            place = block.source(piece.start, piece.end)
            assert 0 <= place.start <= place.end <= len(text)
            if piece.kind == "code" and "\n" not in piece.text:
                assert text[place.start : place.end].strip("`") == piece.text.strip("`")
    for item in imports(text):
        assert text[item.span.start] == "@"
    for item in sentences(text):
        assert item.span.end <= len(text)
