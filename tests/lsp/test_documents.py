"""Open documents: incremental changes in every encoding, clamped positions, one document for every spelling of a URI."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.base.text import Encoding, LineIndex
from waybook.lsp.documents import Change, Documents, apply_changes

ENCODINGS = ("utf-8", "utf-16", "utf-32")
TEXTS = st.text(alphabet=st.sampled_from("ab\n\r\u2028\x0c\xe9\u4e2d\U0001f9ea"), max_size=30)


def test_changes_apply_one_after_another() -> None:
    """Each change of a notification sees the result of the one before; CRLF is kept (code units of UTF-16)."""
    text = "# Rules\r\n- use \U0001f9ea tests\r\n- end\r\n"
    changes = [
        Change("unit tests", (1, 9), (1, 14)),
        Change("\r\n- second", (2, 5), (2, 5)),
        Change("\U0001f642third", (3, 2), (3, 8)),
    ]
    assert (
        apply_changes(text, changes, "utf-16")
        == "# Rules\r\n- use \U0001f9ea unit tests\r\n- end\r\n- \U0001f642third\r\n"
    )


def test_positions_are_clamped() -> None:
    """A position past the line stays on the line, one past the text is the end, a reversed range is empty at its start."""
    assert apply_changes("ab\ncd", [Change("!", (0, 99), (0, 99))], "utf-16") == "ab!\ncd"
    assert apply_changes("ab\ncd", [Change("!", (9, 0), (9, 9))], "utf-16") == "ab\ncd!"
    assert apply_changes("abcd", [Change("!", (0, 3), (0, 1))], "utf-16") == "abc!d"


def test_a_change_without_a_range_is_the_whole_text() -> None:
    """A full replace forgets everything before it."""
    assert apply_changes("old", [Change("x", (0, 0), (0, 0)), Change("new")], "utf-8") == "new"


@given(text=TEXTS, new=TEXTS, start=st.integers(0, 40), length=st.integers(0, 40), encoding=st.sampled_from(ENCODINGS))
def test_an_edit_by_positions_is_the_edit_by_offsets(
    text: str, new: str, start: int, length: int, encoding: str
) -> None:
    """Whatever the text and encoding, replacing the range of two offsets replaces what lies between them."""
    chosen = cast("Encoding", encoding)
    lines = LineIndex(text)
    start = min(start, len(text))
    end = min(start + length, len(text))
    first, last = lines.position(start, chosen), lines.position(end, chosen)
    # An offset between CR and LF is the end of its line, so the round trip may move it in front of the CR.
    real_start, real_end = lines.offset(*first, chosen), lines.offset(*last, chosen)
    expected = text[:real_start] + new + text[max(real_start, real_end) :]
    assert apply_changes(text, [Change(new, first, last)], chosen) == expected


def test_one_document_for_every_spelling() -> None:
    """A document opened as `%20` is found as `%20` with other hex case, and keeps the editor's own spelling."""
    documents = Documents()
    documents.open("file:///w/caf%C3%A9/a%2Bb.md", 1, "x")
    found = documents.get("file:///w/caf%c3%a9/a+b.md")
    assert found is not None
    assert found.uri == "file:///w/caf%C3%A9/a%2Bb.md"
    assert found.path == "/w/caf\xe9/a+b.md"


def test_what_is_no_file_has_no_path() -> None:
    """Untitled buffers are followed but lie nowhere."""
    documents = Documents()
    assert documents.open("untitled:Untitled-1", 1, "x").path is None
    assert documents.close("untitled:Untitled-1") is not None
    assert documents.get("untitled:Untitled-1") is None


def test_a_change_of_an_unknown_document_is_refused() -> None:
    """Nothing is made up for a document that was never opened."""
    assert Documents().change("file:///w/a.md", 2, [Change("x")], "utf-16") is None


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_a_span_counts_in_the_agreed_encoding(encoding: str, character: int) -> None:
    """The test tube takes four bytes, two UTF-16 units or one character."""
    document = Documents().open("file:///w/a.md", 1, "\U0001f9eax")
    span = document.span((0, 0), (0, character), cast("Encoding", encoding))
    assert (span.start, span.end) == (0, 1)
