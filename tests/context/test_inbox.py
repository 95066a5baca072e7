"""Who owns a message: frozen whole, claimed with its contexts, placed or dropped as one."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waybook.base.errors import UsageError
from waybook.context.inbox import Context, Inbox, Prompt, Verdict, freeze, place, thaw
from waybook.context.limits import MAX_CONTEXTS

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = st.text(st.characters(codec="utf-8"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)
APART, PREFIX = Context("apart"), Context("snapshot", "prompt-prefix", '{"from":"ses_1"}')


def inbox(*listeners: Any) -> Inbox:
    numbers = count(1)
    return Inbox(lambda: f"in_{next(numbers)}", listeners)


@given(JSON)
def test_frozen_json_is_lossless_and_cannot_change(value: Any) -> None:
    """Changing what was handed in, or what comes out, changes nothing inside."""
    text = freeze(value)
    out = thaw(text)
    assert out == value
    assert freeze(out) == text
    if isinstance(value, list):
        value.append("later")
    if isinstance(out, dict):
        out["later"] = 1
    assert freeze(thaw(text)) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), (1,), {1: 2}, {"a": object()}, "\ud800", b"x", {1}])
def test_what_json_would_lose_is_refused(value: Any) -> None:
    """Rather an error now than another message later."""
    with pytest.raises(UsageError):
        inbox().send("x", source=value)
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    with pytest.raises(UsageError):
        freeze(deep)


def test_a_record_is_deeply_immutable() -> None:
    """The record keeps what was said then."""
    source = {"kind": "person", "names": ["Ana"]}
    contexts = [APART]
    box = inbox()
    record = box.send("Hello", source, contexts)
    source["names"] = []
    contexts.append(PREFIX)
    with pytest.raises(FrozenInstanceError):
        record.content = "x"  # type: ignore[misc]
    assert json.loads(record.source) == {"kind": "person", "names": ["Ana"]}
    assert box.waiting == (record,)
    assert record.contexts == (APART,)


def test_inject_takes_no_contexts() -> None:
    """Contexts belong to people's messages; listeners are not asked either."""
    asked: list[Prompt] = []

    def listen(prompt: Prompt, onward: Callable[[Prompt], Verdict]) -> Verdict:
        asked.append(prompt)
        return onward(prompt)

    box = inbox(listen)
    with pytest.raises(TypeError):
        box.inject("x", contexts=(APART,))  # type: ignore[call-arg]
    box.inject("note", source="framework", metadata={"n": 1})
    admission = box.claim()
    assert admission is not None
    assert [one.content for one in admission.messages] == ["note"]
    assert asked == []


def test_placement() -> None:
    """Separate contexts are messages of their own; prefix ones and the prompt are one, shown as the prompt."""
    apart, merged = place("Do it", (APART, PREFIX), "plain")
    assert (apart.content, apart.kind) == ("apart", "context")
    assert merged.content == "snapshot\n\n## My request:\n\nDo it"
    assert merged.display == "Do it"
    assert json.loads(merged.provenance) == [{"from": "ses_1"}]
    assert [one.content for one in place("Do it", (), "plain")] == ["Do it"]


def test_listeners_see_contexts_and_their_answer_is_final() -> None:
    """They wrap what comes after; what they keep is written, what they change is written so, also in the display."""
    seen: list[Prompt] = []

    def outer(prompt: Prompt, onward: Callable[[Prompt], Verdict]) -> Verdict:
        seen.append(prompt)
        verdict = onward(replace(prompt, content="rewritten"))
        return replace(verdict, contexts=(*verdict.contexts, APART))

    box = inbox(outer)
    box.send("Do it", contexts=(PREFIX,))
    admission = box.claim()
    assert admission is not None
    assert seen[0].contexts == (PREFIX,)
    assert [one.content for one in admission.messages] == ["apart", "snapshot\n\n## My request:\n\nrewritten"]
    assert admission.messages[1].display == "rewritten"
    assert box.claim() is None


def test_a_blocked_prompt_writes_nothing() -> None:
    """Neither message nor context, and it is gone."""
    box = inbox(lambda _prompt, _onward: Verdict(allow=False, reason="not now"))
    box.send("Do it", contexts=(APART, PREFIX))
    admission = box.claim()
    assert admission is not None
    assert (admission.allowed, admission.messages, admission.reason) == (False, (), "not now")
    assert box.waiting == ()


def test_steering_skips_the_listeners_and_is_placed_alike() -> None:
    """Late steering waits as the same record; then listeners are asked."""
    box = inbox(lambda _prompt, _onward: Verdict(allow=False))
    record = box.steer("Faster", contexts=(PREFIX,))
    (admission,) = box.drain_steering()
    assert admission.messages[0].kind == "steering"
    assert admission.messages[0].display == "Faster"
    late = box.steer("Slower", contexts=(APART,))
    other = box.send("Next")
    box.requeue_late_steering()
    assert box.waiting == (late, other)
    assert box.waiting[0] is late
    assert record not in box.waiting


def test_cancel_and_dispose_drop_message_and_contexts_together() -> None:
    """Nothing of them is left."""
    box = inbox()
    first, second = box.send("a", contexts=(APART,)), box.steer("b", contexts=(PREFIX,))
    assert box.cancel(first.id)
    assert not box.cancel(first.id)
    assert box.dispose() == (second,)
    assert box.waiting == ()
    assert box.claim() is None
    assert box.drain_steering() == ()


def test_contexts_are_bounded() -> None:
    """At most sixteen; then nothing is queued."""
    box = inbox()
    with pytest.raises(UsageError):
        box.send("x", contexts=[APART] * (MAX_CONTEXTS + 1))
    assert box.waiting == ()
