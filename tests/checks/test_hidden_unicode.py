"""hidden-unicode: what is invisible, and what only seems so."""

import pytest

from support.markers import check_markers
from waybook.analysis.view import Document
from waybook.checks import hidden_unicode


def findings(text):
    return list(hidden_unicode.run(Document("AGENTS.md", text), None))


def test_each_run_is_one_finding_where_it_begins(tmp_path):
    """Zero-width space, direction override and a tag: three findings, and none for the family emoji."""
    text = "Keep\u200b secrets out of\u202e logs.\U000e0041\nTeam: \U0001f468\u200d\U0001f469\u200d\U0001f467\n"
    found = findings(text)
    lines = Document("AGENTS.md", text).lines
    assert [lines.position(item.span.start, "utf-16") for item in found] == [(0, 4), (0, 20), (0, 27)]
    assert [item.message for item in found] == [
        "1 invisible character (U+200B zero-width space).",
        "1 invisible character (U+202E right-to-left override).",
        '1 invisible character (tag characters that spell "A").',
    ]


def test_hidden_messages_are_decoded():
    """Tags and variation selectors carry text; the message shows it."""
    tags = "".join(chr(0xE0000 + ord(char)) for char in "rm -rf")
    selectors = "".join(chr(0xE0100 + byte - 16) for byte in b"evil")
    (first,) = findings(f"Be kind{tags}.")
    (second,) = findings(f"Be kind{selectors}.")
    assert 'spell "rm -rf"' in first.message
    assert 'spell "vil"' in second.message or 'spell "evil"' in second.message


@pytest.mark.parametrize(
    "text",
    [
        "plain ascii\f\v\x1c",
        "caf\u00e9 \u2028 \u0085 \u00a0 \u3000",
        "\U0001f468\U0001f3fd\u200d\U0001f4bb \u2764\ufe0f\u200d\U0001f525 \U0001f3f3\ufe0f\u200d\U0001f308 1\ufe0f\u20e3 \u26a0\ufe0f",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937 \u0dc1\u0dca\u200d\u0dbb\u0dd3",
        "\u0e20\u0e32\u0e29\u0e32\u200b\u0e44\u0e17\u0e22",
        "\u05e9\u05dc\u05d5\u05dd\u200f: README\u200e (x)",
        "\u845b\U000e0100\u57ce",
        "中文说明，使用 `pnpm`。",
    ],
    ids=["controls", "spaces", "emoji", "flag", "joiners", "thai", "hebrew", "ideograph", "chinese"],
)
def test_needed_characters_are_left_alone(text):
    """Emoji, flags and scripts need joiners, tags and selectors; other white space is visible."""
    assert findings(text) == []


@pytest.mark.parametrize(
    "char", ["\u200b", "\u200c", "\u200d", "\u2060", "\u00ad", "\ufeff", "\u200e", "\u2066", "\u3164", "\U000e0020"]
)
def test_each_hidden_character_between_latin_letters_is_found(char):
    """No script of these letters needs any of them."""
    (found,) = findings(f"ab{char}cd")
    assert (found.span.start, found.span.end) == (2, 3)


def test_the_fix_removes_the_run(tmp_path):
    """Removing is plain and safe: it is preferred, and a second look finds nothing."""
    (found,) = findings("ab\u200b\u200b\u2060cd")
    (edit,) = found.fixes[0].edits
    assert found.fixes[0].preferred
    assert (edit.span.start, edit.span.end, edit.new_text) == (2, 5, "")


def test_thousands_of_runs_end_in_one_sentence():
    """An editor is not flooded."""
    found = findings("a\u200b" * 5000)
    assert len(found) == 200
    assert "only the first 200" in found[-1].message


def test_a_comment_above_allows_it(tmp_path):
    """The suppression counts for the paragraph below it and no further."""
    check_markers(
        """\
-- AGENTS.md --
<!-- waybook: allow hidden-unicode -->
soft{U+00AD}hyphen

soft{U+00AD}hyphen
    ^^^ hidden-unicode: soft hyphen
""",
        tmp_path,
        "hidden-unicode",
    )
