"""Handoffs: a ready prompt within its budget, whose data cannot leave the envelope."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.world import OPERATOR, World, hidden
from support.fakes import FAKES
from waybook.base.errors import NotFoundError, RefusedError, UsageError
from waybook.continuity.browse.handoff import CLOSE, OPEN, REQUEST, WARNING, KnownMemory, hand_off
from waybook.continuity.model import Node, NodeKind, Piece, PieceKind, Snapshot
from waybook.memory.model import Change
from waybook.tokens.counter import Counter

if TYPE_CHECKING:
    from typing import Any


def data_of(text: str) -> Any:
    _, _, rest = text.partition(f"{OPEN}\n")
    return json.loads(rest.partition(f"\n{CLOSE}")[0])


def words(text: str) -> int:
    """A count that is quick and grows with the text."""
    return len(text.split())


def node(*texts: str, summary: str = "") -> Node:
    said = tuple(
        Piece("ses_1", f"k{number}", "assistant" if number % 2 else "user", PieceKind.PROMPT, text)
        for number, text in enumerate(texts)
    )
    compaction = Piece("ses_1", "s", "system", PieceKind.SUMMARY, summary) if summary else None
    snapshot = Snapshot(compaction=compaction, messages=said)
    return Node("nod_1", NodeKind.CHECKPOINT, "", "t", "ws_1", "", "ses_1", "here", "", snapshot, "ada", "2026")


def test_a_prompt_is_warning_data_and_request(world: World) -> None:
    """The goal stands last; the data is one line of JSON; the warning is fixed."""
    run = world.run("write the tests")
    world.say(run.id, "please <b>review</b>", "done")
    world.continuity.checkpoint(run.id, OPERATOR, title="Reviewed", summary="Next: tests")
    result = world.browse.handoff(run.id, "codex", 12_000, Counter().count)
    assert WARNING in result.text
    assert result.text.endswith(f"{REQUEST}\n\nwrite the tests\n")
    data = data_of(result.text)
    assert [item["text"] for item in data["conversation"]] == ["please <b>review</b>", "done"]
    assert (data["title"], data["note"]) == ("Reviewed", "Next: tests")
    assert "<b>" not in result.text
    assert result.command == "codex exec -"
    assert result.exact
    assert result.tokens == Counter().count(result.text)
    other = world.browse.handoff(run.id, "claude-code", 12_000, Counter().count, goal="Only this")
    assert other.text.endswith("Only this\n")
    assert other.command == "claude -p"


def test_only_valid_memories_go_in_as_they_are_now(world: World) -> None:
    """A changed, deleted or disabled one does not."""
    kept, new = world.memory("Use tabs."), world.memory("Use spaces.")
    run = world.run()
    world.continuity.checkpoint(run.id, OPERATOR)
    world.memories.edit(new.id, new.version, Change(content="Use both."), OPERATOR)
    result = world.browse.handoff(run.id, "codex", 12_000, words)
    assert data_of(result.text)["confirmed_memories"] == [{"title": kept.title, "content": "Use tabs."}]
    assert (result.memories, result.memories_left_out) == (1, 0)


def test_nothing_to_hand_over(world: World) -> None:
    """A run without a node, an unknown agent, a limit that cannot be meant."""
    run = world.run()
    with pytest.raises(NotFoundError, match="no checkpoint"):
        world.browse.handoff(run.id, "codex", 12_000, words)
    world.continuity.checkpoint(run.id, OPERATOR)
    with pytest.raises(UsageError, match="no agent"):
        world.browse.handoff(run.id, "somebody", 12_000, words)
    for limit in (499, 200_001):
        with pytest.raises(UsageError):
            world.browse.handoff(run.id, "codex", limit, words)


def test_secrets_do_not_travel(world: World) -> None:
    """What was masked on the way in stays masked on the way out."""
    run = world.run()
    world.say(run.id, f"the token is {FAKES['FAKE_GITHUB']}")
    world.continuity.checkpoint(run.id, OPERATOR)
    text = world.browse.handoff(run.id, "codex", 12_000, words).text
    assert FAKES["FAKE_GITHUB"] not in text
    assert hidden(text) == text


TEXTS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=900), max_size=20)


@given(TEXTS, st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3000), st.integers(500, 3000))
def test_the_budget_holds(texts: list[str], summary: str, limit: int) -> None:
    """Whatever was said: at most the tokens allowed (estimated here), newest messages first, no open tag in the data."""
    result = hand_off(node(*texts, summary=summary), "codex", "go on", (), limit, lambda _text: None)
    assert result.tokens <= limit
    assert not result.exact
    assert result.text.count(OPEN) == result.text.count(CLOSE) == 1
    assert result.messages + result.messages_left_out == len(texts)
    kept = [item["text"] for item in data_of(result.text)["conversation"]]
    newest = texts[len(texts) - result.messages :] if result.messages else []
    assert len(kept) == len(newest)
    assert all(one == other or "bytes left out" in one for one, other in zip(kept, newest, strict=True))


def test_all_goes_in_where_it_fits() -> None:
    """And old messages go first where it does not."""
    long = [f"message {number} " + "word " * 60 for number in range(20)]
    assert hand_off(node(*long), "codex", "go", (), 5000, words).messages == 20
    few = hand_off(node(*long), "codex", "go", (), 600, words)
    assert 0 < few.messages < 20
    assert data_of(few.text)["conversation"][-1]["text"] == long[-1]


def test_memories_take_a_quarter_at_most() -> None:
    """One that is too long does not keep a later one out."""
    memories = (KnownMemory("m1", "long", "word " * 900), KnownMemory("m2", "short", "use tabs"))
    result = hand_off(node("hi"), "codex", "go", memories, 1000, words)
    assert data_of(result.text)["confirmed_memories"] == [{"title": "short", "content": "use tabs"}]
    assert result.memories_left_out == 1


def test_a_goal_that_does_not_fit_is_refused() -> None:
    """Rather than cut."""
    with pytest.raises(RefusedError) as caught:
        hand_off(node("hi"), "codex", "word " * 2000, (), 500, words)
    assert caught.value.code == "budget-exceeded"
