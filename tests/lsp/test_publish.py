"""What is pushed: nothing twice, no version backwards, empty when nothing is left."""

from __future__ import annotations

from lsprotocol import types
from pygls.protocol import default_converter

from waybook.lsp.publish import Publisher

URI = "file:///w/AGENTS.md"


def item(message: str) -> types.Diagnostic:
    start = types.Position(0, 0)
    return types.Diagnostic(types.Range(start, start), message)


def make() -> tuple[Publisher, list[tuple[int | None, list[str]]]]:
    sent: list[tuple[int | None, list[str]]] = []
    publisher = Publisher(
        lambda params: sent.append((params.version, [found.message for found in params.diagnostics])),
        default_converter(),
    )
    return publisher, sent


def tell(publisher: Publisher, version: int | None, *messages: str) -> None:
    publisher.set(URI, version, [item(message) for message in messages])
    publisher.push(URI)


def test_the_same_is_not_said_twice_but_a_new_version_is() -> None:
    """An editor learns that a new version has been looked at."""
    publisher, sent = make()
    tell(publisher, 1, "a")
    tell(publisher, 1, "a")
    tell(publisher, 2, "a")
    assert sent == [(1, ["a"]), (2, ["a"])]


def test_versions_never_go_backwards() -> None:
    """A late result of an older version is dropped."""
    publisher, sent = make()
    tell(publisher, 5, "new")
    tell(publisher, 3, "old")
    assert sent == [(5, ["new"])]


def test_a_clean_file_that_was_never_spoken_of_stays_unspoken_of() -> None:
    """Only an open document, or one with findings before, gets an empty push."""
    publisher, sent = make()
    tell(publisher, None)
    assert sent == []
    tell(publisher, None, "a")
    tell(publisher, None)
    assert sent == [(None, ["a"]), (None, [])]


def test_closing_empties_and_lets_versions_begin_anew() -> None:
    """After a close the first version may be 1 again."""
    publisher, sent = make()
    tell(publisher, 7, "a")
    publisher.clear(URI)
    tell(publisher, 1, "b")
    assert sent == [(7, ["a"]), (None, []), (1, ["b"])]


def test_what_is_pulled_is_not_shown_twice() -> None:
    """Pushed findings are taken back when the client begins to pull; the newest state stays known."""
    publisher, sent = make()
    tell(publisher, 1, "a")
    publisher.retract(URI)
    assert sent == [(1, ["a"]), (1, [])]
    current = publisher.current(URI)
    assert current is not None
    assert [found.message for found in current.items] == ["a"]
