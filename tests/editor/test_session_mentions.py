"""Editor answers about mentions of sessions, on texts with a cursor."""

from __future__ import annotations

import pytest

from waybook.base.text import Span
from waybook.editor.session_mentions import (
    EXPAND,
    expand_action,
    is_prompt,
    session_completions,
    session_hover,
    session_links,
)
from waybook.references.candidates import choose
from waybook.references.mentions import format_mention, parse
from waybook.references.model import SessionRecord

RECORDS = (
    SessionRecord("ses_1", "Parser rewrite", "/srv/shop", "codex", "2026-01-05T10:00:00.000000Z", 12, 3456, "/h/s1.jsonl"),
    SessionRecord("ses_2", "", "/srv/other", "claude-code", "2026-01-06T10:00:00.000000Z", 2, 70_000),
)  # fmt: skip


def _offer(query: str):
    return choose(RECORDS, query, "/srv/shop")


def _find(session_id: str):
    return next((record for record in RECORDS if record.id == session_id), None)


def _completed(marked: str) -> list[str]:
    """Every text that a completion at <CURSOR> can give."""
    before, _, after = marked.partition("<CURSOR>")
    found = session_completions(before + after, len(before), _offer)
    return [before[: item.span.start] + item.text + (before + after)[item.span.end :] for item in found]


def test_completion_replaces_from_the_at_sign_on() -> None:
    """Whether a bracket was opened or not; words of title, id or directory choose."""
    mention = format_mention("ses_1", "Parser rewrite")
    assert _completed("see @pars<CURSOR> please") == [f"see {mention} please"]
    assert _completed("see @[parser re<CURSOR>") == [f"see {mention}"]
    assert _completed("@shop<CURSOR>") == [mention]
    assert parse(_completed("\n(@ses_2<CURSOR>)")[0]).references[0].session_id == "ses_2"


def test_all_are_offered_after_the_bare_sign_same_directory_first() -> None:
    """The detail says agent, day and place."""
    found = session_completions("@", 1, _offer)
    assert [item.label for item in found] == ["Parser rewrite", "ses_2"]
    assert found[0].detail == "codex, 2026-01-05, this directory"
    assert found[1].detail == "claude-code, 2026-01-06, /srv/other"


@pytest.mark.parametrize("text", ["", "plain", "me@shop", "a\\@shop", "@shop ", "@[shop] ", "@@shop"])
def test_nothing_where_no_mention_can_begin(text: str) -> None:
    """Addresses, escapes, and what is finished."""
    assert session_completions(text, len(text), _offer) == []


def test_hover_tells_title_time_agent_and_size() -> None:
    """On the mention, both edges included; nothing beside it."""
    mention = format_mention("ses_1", "x")
    text = f"see {mention} ok"
    found = session_hover(text, 6, _find)
    assert found is not None
    assert found.span == Span(4, 4 + len(mention))
    assert found.markdown.splitlines() == [
        "**Session `Parser rewrite`**",
        "",
        "- last used 2026-01-05 10:00 UTC",
        "- agent `codex`",
        "- 12 messages, 3,456 bytes of text",
        "- in `/srv/shop`",
        "- id `ses_1`",
    ]
    assert session_hover(text, 4 + len(mention), _find) == found
    assert session_hover(text, 2, _find) is None


def test_hover_says_what_does_not_fit() -> None:
    """A person learns before sending that only a part is taken in."""
    found = session_hover(format_mention("ses_2"), 1, _find)
    assert found is not None
    assert "65,536 bytes in all" in found.markdown


def test_hover_on_a_deleted_and_on_a_malformed_mention() -> None:
    """Both say so; neither shows any text of a session."""
    gone = session_hover(format_mention("ses_9", "old"), 3, _find)
    assert gone is not None
    assert "`ses_9` is not there" in gone.markdown
    bad = session_hover("@[x](dsh-session:)", 3, _find)
    assert bad is not None
    assert bad.markdown.startswith("**Not a session**")


def test_foreign_text_cannot_write_markdown() -> None:
    """A title is a code span, whatever it holds."""
    record = SessionRecord("s", "`a` **b** [c](http://d)\x1b[31m")
    found = session_hover(format_mention("s"), 1, lambda _id: record)
    assert found is not None
    assert found.markdown.splitlines()[0] == "**Session `'a' **b** [c](http://d)\\x1b[31m`**"


def test_links_lead_to_the_transcript() -> None:
    """Not for a deleted session, a malformed mention, or a session without a file."""
    mention = format_mention("ses_1")
    text = f"{mention} {format_mention('ses_2')} {format_mention('gone')} @[x](dsh-session:) {mention}"
    found = list(session_links(text, _find))
    assert [link.path for link in found] == ["/h/s1.jsonl"] * 2
    assert [text[link.span.start : link.span.end] for link in found] == [mention, mention]
    assert found[0].tooltip == "Open the transcript of Parser rewrite"


def test_expanding_is_offered_where_there_is_something_to_expand() -> None:
    """The action names the document; the command reads its text when it is called."""
    assert expand_action("plain dsh-session: text", "file:///p.md") is None
    action = expand_action(format_mention("ses_1") * 2, "file:///p.md")
    assert action is not None
    assert (action.title, action.command, action.argument) == (
        "Show the prompt with its 2 references expanded",
        EXPAND,
        {"uri": "file:///p.md"},
    )


def test_prompt_files_are_known_by_their_names() -> None:
    """Markdown and its kin."""
    assert [is_prompt(name) for name in ("a.md", "B.MD", "x.prompt", "x.prompt.md", "a.py", "md")] == [True] * 4 + [False] * 2  # fmt: skip
