"""Search: words and substrings in any script, ranked, paged, in step with whoever writes."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.helpers import USER, Clock, draft
from store.helpers import OPERATOR, open_store
from waybook.base.errors import UsageError
from waybook.memory import search_service
from waybook.memory.model import Change, Draft, Scope, Status
from waybook.memory.search import Admission, Corpus, entry, fold, terms
from waybook.memory.search_service import SearchService
from waybook.memory.service import MemoryService
from waybook.sessions.service import RunService

if TYPE_CHECKING:
    from waybook.store.store import Store


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("packaging", ["tests"]),
        ("pack", ["tests", "chinese"]),
        ("ackag", ["tests"]),
        ("PACKAGING", ["tests"]),
        ("unit packaging", ["tests"]),
        ("unit nowhere", []),
        ('"unit tests"', ["tests"]),
        ('"tests unit"', []),
        ("测", ["chinese"]),
        ("测试", ["chinese"]),
        ("試験", ["japanese"]),
        ("リリース", ["japanese"]),
        ("ﾘﾘｰｽ", ["japanese"]),
        ("ｕｎｉｔ", ["tests"]),
        ("STRASSE", ["german"]),
        ("straße", ["german"]),
        ("a/b%_c", ["marks"]),
        ("[x]*", ["marks"]),
        ("🎉", ["marks"]),
        ("\\", ["marks"]),
    ],
)
def test_words_and_substrings(memory: MemoryService, searcher: SearchService, query: str, titles: list[str]) -> None:
    """Any part of any script, whatever its case and width; every term has to occur; nothing is a wildcard."""
    for title, content in {
        "tests": "Run unit tests before packaging",
        "chinese": "打包前先运行单元测试 pack",
        "japanese": "リリース前に試験を行う",
        "german": "Die Straße zum Release",
        "marks": "path a/b%_c and [x]* and 🎉 and \\",
    }.items():
        memory.create(draft(title, content), OPERATOR)
    assert sorted(hit.memory.title for hit in searcher.search(query, [USER]).hits) == sorted(titles)


def test_ranking(memory: MemoryService, searcher: SearchService) -> None:
    """The title first, then whole words, then parts; among equals the newest."""
    memory.create(draft("x part", "the caches"), OPERATOR)
    memory.create(draft("x old word", "a cache"), OPERATOR)
    memory.create(draft("x new word", "a cache"), OPERATOR)
    memory.create(draft("cache title", "nothing"), OPERATOR)
    memory.create(draft("caches", "nothing"), OPERATOR)
    found = [hit.memory.title for hit in searcher.search("cache", [USER]).hits]
    assert found == ["cache title", "caches", "x new word", "x old word", "x part"]


def test_it_follows_every_writer(store: Store, memory: MemoryService, searcher: SearchService) -> None:
    """New, edited, disabled and deleted memories of another connection are seen at the next search."""
    other = open_store(store.path, clock=Clock())
    assert searcher.search("alpha", [USER]).total == 0
    writer = MemoryService(other)
    kept = memory.create(draft("t", "alpha"), OPERATOR)
    assert searcher.search("alpha", [USER]).total == 1
    writer.edit(kept.id, 1, Change(content="beta"), OPERATOR)
    assert [searcher.search(word, [USER]).total for word in ("alpha", "beta")] == [0, 1]
    writer.switch(kept.id, 2, Status.DISABLED, OPERATOR)
    assert searcher.search("beta", [USER]).total == 0
    assert searcher.search("beta", [USER], everything=True).total == 1
    writer.delete(kept.id, 3, OPERATOR)
    assert searcher.search("beta", [USER], everything=True).total == 0
    other.close()


def test_expired_and_foreign_ones_are_not_found(
    store: Store, memory: MemoryService, searcher: SearchService, clock: Clock
) -> None:
    """A retention ends a search too, without any write; another project's memory is nobody's business here."""
    runs = RunService(store, mask=str)
    one, two = runs.register("/a").id, runs.register("/b").id
    memory.create(Draft("project", "t", "needle", scope_id=one, retention="1h"), OPERATOR)
    assert searcher.search("needle", [(Scope.PROJECT, one)]).total == 1
    assert searcher.search("needle", [(Scope.PROJECT, two), USER]).total == 0
    clock.advance(hours=1)
    assert searcher.search("needle", [(Scope.PROJECT, one)]).total == 0


def test_pages(memory: MemoryService, searcher: SearchService) -> None:
    """Pages neither repeat nor lose anything; a cursor belongs to its query."""
    for number in range(25):
        memory.create(draft(f"note {number}", "common text"), OPERATOR)
    found, cursor = [], ""
    while True:
        page = searcher.search("common", [USER], limit=7, cursor=cursor)
        assert page.total == 25
        found += [hit.memory.title for hit in page.hits]
        cursor = page.next_cursor
        if not cursor:
            break
        last = cursor
    assert found == [f"note {number}" for number in reversed(range(25))]
    with pytest.raises(UsageError):
        searcher.search("text", [USER], cursor=last)
    with pytest.raises(UsageError):
        searcher.search("common", [USER], everything=True, cursor=last)


@pytest.mark.parametrize(
    "query", ["", "  ", '""', "\x01\x00", "x" * 1025, " ".join(f"w{number}" for number in range(17))]
)
def test_queries_that_cannot_be_meant(searcher: SearchService, query: str) -> None:
    """None of them is a crash or a match of everything."""
    with pytest.raises(UsageError):
        searcher.search(query, [USER])


def test_a_large_corpus_is_not_kept(
    memory: MemoryService, searcher: SearchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Past its bound it is made anew each time, with the same answers."""
    monkeypatch.setattr(search_service, "KEPT_BYTES", 10)
    memory.create(draft("t", "some longer content"), OPERATOR)
    assert [searcher.search("longer", [USER]).total for _ in range(2)] == [1, 1]
    assert searcher._view is None


def test_many_changes_are_followed(
    memory: MemoryService, searcher: SearchService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after the large corpus is made anew, the answers are those of a searcher that just began."""
    monkeypatch.setattr(search_service, "RECENT", 3)
    kept: list[str] = []
    for step in range(24):
        if step % 3 == 2:
            memory.delete(kept.pop(0), 1, OPERATOR)
        elif step % 5 == 4:
            memory.edit(kept.pop(), 1, Change(content=f"common edited {step}"), OPERATOR)
        else:
            kept.append(memory.create(draft(f"t{step}", f"common {step}"), OPERATOR).id)
        fresh = SearchService(memory._store)
        for query in ("common", "edited", str(step)):
            assert searcher.search(query, [USER]) == fresh.search(query, [USER])


def test_an_excerpt_shows_the_match(memory: MemoryService, searcher: SearchService) -> None:
    """The text around the first match, on one line."""
    memory.create(draft("t", "line\n" * 100 + "the needle\nis here" + " end" * 100), OPERATOR)
    (hit,) = searcher.search("NEEDLE", [USER]).hits
    assert "the needle is here" in hit.excerpt
    assert "\n" not in hit.excerpt
    assert hit.excerpt.startswith("…")


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=8), st.data())
def test_the_corpus_finds_what_python_finds(texts: list[tuple[str, str]], data: st.DataObject) -> None:
    """The scan, and from the second search on the vocabulary, find exactly what looking into each folded text finds."""
    source = fold(data.draw(st.sampled_from(texts))[data.draw(st.integers(0, 1))])
    start = data.draw(st.integers(0, len(source)))
    term = source[start : start + data.draw(st.integers(1, 4))].strip().encode()
    if not term:
        return
    corpus = Corpus(
        entry([str(place), "user", "u", title, content, False, "", "2026-01-01T00:00:00.000000Z"])
        for place, (title, content) in enumerate(texts)
    )
    expected = {str(place) for place, pair in enumerate(texts) if any(term in fold(text).encode() for text in pair)}
    for _ in range(2):
        total, keys = corpus.top([term], Admission(frozenset({("user", "u")})), 100, None)
        assert (total, {key[2] for key in keys}) == (len(expected), expected)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(("a", "b", "a b", "ab")), st.booleans()), max_size=12))
def test_many_hits_come_page_by_page_in_the_order_of_all(made: list[tuple[str, str, bool]]) -> None:
    """Where most entries hold the term, the pages put together are the whole in order: titles first, then the newest."""
    corpus = Corpus(
        entry([str(place), "user", "u", title, content, off, "", f"2026-01-{place // 2 + 1:02}T00:00:00.000000Z"])
        for place, (title, content, off) in enumerate(made)
    )
    held = [item for item in corpus.entries if b"a" in item.text and not item.disabled]
    whole = sorted((-20 if b"a" in item.title else -2, -item.stamp, item.id) for item in held)
    only = Admission(frozenset({("user", "u")}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("waybook.memory.search._MANY", 0)
        paged: list[tuple[int, int, str]] = []
        while (page := corpus.top([b"a"], only, 2, paged[-1] if paged else None))[1]:
            assert page[0] == len(whole)
            paged += page[1]
    assert paged == whole


@given(TEXTS)
def test_folding_is_stable(text: str) -> None:
    """What was folded once stays as it is, so that a query and a text meet."""
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=60))
def test_any_query_is_answered_or_refused(query: str) -> None:
    """Terms are never empty."""
    with suppress(UsageError):
        assert all(terms(query))
