"""A session never takes more than its bytes, and what is said to be left out is what is left out."""

from __future__ import annotations

import json
import re

from hypothesis import example, given
from hypothesis import strategies as st

from waybook.references.budget import render, retain, shorten, utf8
from waybook.references.model import Fixed, Unit

FIXED = Fixed("s1", "L", "/w", 7)
TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
LONG = st.builds(
    lambda parts, times: "".join(parts) * times,
    st.lists(st.sampled_from(["a", "\n", "<", "é", "汉", "😀", "\x00", '"', "\ud800", "\\"]), max_size=8),
    st.integers(1, 40),
)
UNITS = st.builds(
    lambda summary, rest: [*summary, *rest],
    st.lists(st.builds(Unit, st.just("user"), LONG, checkpoint=st.just(value=True)), max_size=1),
    st.lists(st.builds(Unit, st.sampled_from(["user", "assistant"]), LONG), max_size=6),
)
NOTICE = re.compile(r"\n\[… omitted (\d+) UTF-8 bytes …\]$")


@given(LONG, st.integers(0, 400))
@example("汉" * 50, 100)
@example("😀" * 30, 90)
def test_shortened_texts_are_exact(text: str, limit: int) -> None:
    """Never longer than asked; head and tail are of the text, in whole characters; the number is what is missing."""
    found, omitted = shorten(text, limit)
    assert utf8(found) <= limit
    if not omitted:
        assert found == text
        return
    notice = NOTICE.search(found)
    if notice is None:
        assert found == ""
        assert omitted == utf8(text)
        return
    ends = found[: notice.start()]
    assert int(notice[1]) == omitted == utf8(text) - utf8(ends)
    splits = (cut for cut in range(len(ends) + 1) if text.startswith(ends[:cut]) and text.endswith(ends[cut:]))
    assert any(abs(utf8(ends[:cut]) - utf8(ends[cut:])) <= 4 for cut in splits)


@given(UNITS, st.integers(1, 1500))
def test_never_over_budget_and_every_byte_accounted_for(units: list[Unit], max_bytes: int) -> None:
    """The JSON fits and parses; kept texts plus omitted bytes are all there was; None only when nothing could help."""
    found = retain(FIXED, units, max_bytes)
    if found is None:
        emptied = [Unit(unit.role, "") for unit in units if unit.checkpoint]
        emptied += [Unit(unit.role, "") for unit in units if not unit.checkpoint][-1:]
        assert len(render(FIXED, emptied).encode()) > max_bytes
        return
    assert len(found.json.encode()) <= max_bytes
    assert "<" not in found.json
    shown = json.loads(found.json)["conversation"]
    assert len(shown) == found.stats.retained_messages == len(units) - found.stats.omitted_messages
    kept = sum(utf8(NOTICE.sub("", unit.text)) for unit in found.conversation)
    assert kept + found.stats.omitted_bytes == sum(utf8(unit.text) for unit in units)
    assert found.stats.truncated == bool(found.stats.omitted_bytes or found.stats.omitted_messages)


@given(UNITS, st.integers(110, 1500))
def test_checkpoint_and_newest_stay(units: list[Unit], max_bytes: int) -> None:
    """What is dropped is a run of the oldest ordinary messages; the checkpoint and the newest are always there."""
    found = retain(FIXED, units, max_bytes)
    if found is None:
        return
    ordinary = [unit for unit in units if not unit.checkpoint]
    summaries = [unit for unit in units if unit.checkpoint]
    kept = [unit for unit in found.conversation if not unit.checkpoint]
    assert len(found.conversation) - len(kept) == len(summaries)
    assert bool(kept) == bool(ordinary)
    assert [unit.role for unit in kept] == [unit.role for unit in ordinary[len(ordinary) - len(kept) :]]


def test_texts_full_of_escapes_are_not_thrown_away() -> None:
    """A page of markup takes six bytes a `<` in JSON; most of the budget is still used."""
    found = retain(FIXED, [Unit("user", "<" * 65_536)], 65_536)
    assert found is not None
    assert 60_000 < len(found.json.encode()) <= 65_536


def test_masked_before_it_is_cut() -> None:
    """A secret that a cut would halve is hidden whole, and so is every other."""
    secret = "s3cr3t" * 10
    text = "x" * 300 + secret + "y" * 300
    found = retain(FIXED, [Unit("user", text)], 300, lambda value: value.replace(secret, "[redacted:test]"))
    assert found is not None
    assert "s3cr3t" not in found.json
    assert found.stats.omitted_bytes == len(text) - len(secret) + 15 - len(NOTICE.sub("", found.conversation[0].text))
