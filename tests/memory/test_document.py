"""A memory as a document: opening and saving changes nothing; what is edited comes through; the rest is refused."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waybook.base.errors import UsageError
from waybook.memory.document import change, parse, parse_uri, render, uri_of
from waybook.memory.model import Memory, Scope, SourceKind, Status
from waybook.memory.rules import settle_text

MEMORY = Memory(
    id="mem_1",
    scope=Scope.PROJECT,
    scope_id="ws_1",
    title="Test convention",
    content="Run unit tests",
    content_sha256="",
    status=Status.ACTIVE,
    source_kind=SourceKind.EXPLICIT,
    source_ref="",
    references=(),
    retention_until="",
    redacted=False,
    created_by="ada",
    updated_by="ada",
    version=3,
    created_at="2026-01-02T03:04:05.000000Z",
    updated_at="2026-01-02T03:04:05.000000Z",
    expired=False,
)
LINES = (
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
    .filter(str.isprintable)
    .map(str.strip)
    .filter(bool)
)
CONTENT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1, max_size=200)


def test_a_document_reads_well() -> None:
    """A small front matter and the content; empty fields are left out."""
    whole = replace(MEMORY, references=("docs/testing.md",), retention_until="2026-02-01T03:04:05.000000Z")
    assert render(whole).text == (
        "---\ntitle: Test convention\nreferences:\n- docs/testing.md\nretention: '2026-02-01T03:04:05.000000Z'\n"
        "version: 3\n---\n\nRun unit tests\n"
    )
    assert render(MEMORY).text == "---\ntitle: Test convention\nversion: 3\n---\n\nRun unit tests\n"
    assert parse_uri(uri_of(MEMORY)) == (Scope.PROJECT, "mem_1")


@settings(max_examples=300, deadline=None)
@given(title=LINES, content=CONTENT, references=st.lists(LINES, max_size=4), crlf=st.booleans())
def test_opening_and_saving_changes_nothing(title: str, content: str, references: list[str], *, crlf: bool) -> None:
    """Whatever title, content and references say, also through an editor that writes CRLF."""
    memory = replace(MEMORY, title=title, content=content, references=tuple(sorted(set(references))))
    text = render(memory).text
    parsed = parse(text.replace("\n", "\r\n") if crlf else text)
    assert (parsed.title, parsed.content, parsed.references) == (title, content, memory.references)
    assert change(memory, parsed, redact_sensitive=False).is_empty


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No document crashes the reader, with and without fences around it."""
    for document in (text, f"---\n{text}\n---\n\nx", f"---\ntitle: {text}\n---\n{text}"):
        with suppress(UsageError):
            assert isinstance(parse(document).content, str)


@pytest.mark.parametrize(
    "document",
    [
        "no front matter",
        "---\ntitle: x\nno end",
        "---\ntitle: [x]\n---\n\nx",
        "---\ntitle: x\ncolour: red\n---\n\nx",
        "---\n- x\n---\n\nx",
        "---\ntitle: x\nversion: two\n---\n\nx",
        "---\ntitle: x\nreferences: y\n---\n\nx",
        "---\ntitle: x\nreferences: [[y]]\n---\n\nx",
        "---\ntitle: !!python/object:os.system x\n---\n\nx" + "y" * 200_000,
        "---\na: &a [x]\ntitle: {*a : *a}\n---\n\nx",
    ],
)
def test_bad_documents(document: str) -> None:
    """What the front matter cannot mean is refused with a reason."""
    with pytest.raises(UsageError) as caught:
        parse(document)
    assert caught.value.code == "bad-document"


def test_edits_come_through() -> None:
    """Title, references, retention and content; a retention taken out is lifted."""
    whole = replace(MEMORY, references=("a",), retention_until="2026-02-01T03:04:05.000000Z")
    parsed = parse('---\ntitle: "yes"\nreferences: [b, c]\nretention: 720h\n---\n\nNew\n')
    found = change(whole, parsed, redact_sensitive=False)
    assert (found.title, found.content, found.references, found.retention) == ("yes", "New", ("b", "c"), "720h")
    assert (
        change(whole, parse("---\ntitle: Test convention\n---\nRun unit tests"), redact_sensitive=False).retention
        == "none"
    )
    assert settle_text("yes", "New", "", ("b",), redact_sensitive=False).title == "yes"


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "waybook-memory:/team/mem_1.md",
        "waybook-memory:/user/../x.md",
        "file:///user/mem_1.md",
        "waybook-memory:/user/mem_1",
    ],
)
def test_bad_addresses(uri: str) -> None:
    """Nothing but a scope and an id."""
    with pytest.raises(UsageError):
        parse_uri(uri)
