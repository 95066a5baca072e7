"""Which sessions are offered, in which order, and how they are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.base.errors import UsageError
from waybook.references.candidates import MAX_LABEL, choose, label_of, visible
from waybook.references.mentions import parse
from waybook.references.model import SessionRecord

RECORDS = (
    SessionRecord("s4", "Elsewhere", "/srv/shopping"),
    SessionRecord("s3", "Deep", "/srv/shop/api"),
    SessionRecord("s2", "Unknown place"),
    SessionRecord("s1", "Fix the PARSER", "/srv/shop"),
    SessionRecord("s0", "", "/srv/shop"),
)


def _ids(query: str = "", **options: object) -> list[str]:
    return [item.id for item in choose(RECORDS, query, **options)]


def test_same_directory_first_then_near_then_the_rest() -> None:
    """Within a rank the order of the source stays."""
    assert _ids(cwd="/srv/shop") == ["s1", "s0", "s3", "s4", "s2"]
    assert _ids(cwd="/srv/shop/api/v1") == ["s3", "s1", "s0", "s4", "s2"]
    assert _ids() == ["s4", "s3", "s2", "s1", "s0"]


def test_words_of_id_directory_and_title_in_any_case() -> None:
    """Every word has to be somewhere."""
    assert _ids("parser") == ["s1"]
    assert _ids("SHOP fix") == ["s1"]
    assert _ids("s2") == ["s2"]
    assert _ids("shopping parser") == []


def test_the_session_that_asks_is_left_out_and_lists_are_bounded() -> None:
    """A session cannot mention itself."""
    assert _ids(cwd="/srv/shop", session="s1", limit=2) == ["s0", "s3"]
    for limit in (0, 51):
        with pytest.raises(UsageError):
            choose(RECORDS, "", limit=limit)


def test_without_a_title_the_id_is_the_label() -> None:
    """Titles are one line of bounded length."""
    assert label_of(RECORDS[-1]) == "s0"
    assert label_of(SessionRecord("x", " two\n lines\t")) == "two lines"
    assert len(label_of(SessionRecord("x", "y" * 500))) == MAX_LABEL


@given(st.text(), st.text(), st.text(st.characters(codec=None, exclude_categories=())))
def test_what_is_shown_cannot_drive_a_terminal(title: str, cwd: str, session_id: str) -> None:
    """No control or direction character is left; the mention still means the very session."""
    [item] = choose([SessionRecord(session_id, title, cwd)], "")
    for text in (item.id, item.label, item.cwd, item.mention):
        assert visible(text) == text
        assert not set(text) & {"\x1b", "\x9b", "\n", "\r", "\x00", "\u202e", "\x7f"}
    [reference] = parse(item.mention).references
    assert reference.label == item.label
    assert choose([SessionRecord(reference.session_id)], "")[0].uri == item.uri


def test_escapes_are_readable() -> None:
    """As Python and most shells write them."""
    assert visible("a\x1b[31m\u202eb\tc") == "a\\x1b[31m\\u202eb\\tc"
    assert visible("naïve 汉字 👩‍👩‍👧") == "naïve 汉字 👩‍👩‍👧"
