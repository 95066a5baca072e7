"""The built-in summariser: deterministic, bounded, word for word, with the focus first."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from waybook.base.cancel import Progress
from waybook.compaction.extractive import MAX_BYTES, Extractive, extract
from waybook.compaction.model import Item
from waybook.compaction.summariser import Request

KINDS = ("prompt", "answer", "call", "reasoning", "summary", "notice")


@settings(max_examples=60)
@given(
    st.text(max_size=3000),
    st.lists(st.tuples(st.sampled_from(KINDS), st.text(max_size=4000)), max_size=20),
    st.text(max_size=400),
)
def test_bounded_and_the_same_each_time(previous: str, said: list[tuple[str, str]], focus: str) -> None:
    """At most 12 KiB, never empty, for any conversation."""
    items = tuple(Item(seq, kind, text, "") for seq, (kind, text) in enumerate(said))
    text = Extractive().summarise(Request(previous, items, focus), Progress())
    assert text == extract(previous, items, focus)
    assert 0 < len(text.encode("utf-8", "replace")) <= MAX_BYTES


def test_full_conversations_stay_bounded() -> None:
    """More than fits in every part."""
    items = [Item(n, kind, f"{kind} {n} must never {'x' * 300}.", "") for n in range(400) for kind in KINDS]
    text = extract("# Old\n" + "\n".join(f"- carried {n} {'y' * 200}" for n in range(100)), items, "nothing")
    assert MAX_BYTES * 0.8 < len(text.encode()) <= MAX_BYTES
    assert all(
        f"## {part}" in text for part in ("Earlier summary", "Asked by the user", "Said by the agent", "Tools used")
    )


def test_the_focus_decides_what_is_kept() -> None:
    """Of many alike, the sentences that the focus names; in Chinese by pairs of characters."""
    items = [
        Item(n, "answer", f"Sentence number {n} about nothing in particular, {'pad ' * 40}.", "") for n in range(200)
    ]
    items.insert(100, Item(999, "answer", "The migration of the ledger stays unfinished.", ""))
    assert "migration of the ledger" in extract("", items, "ledger migration")
    cjk = [Item(n, "answer", f"第{n}句普通的话，没有重点内容。" * 8, "") for n in range(200)]
    cjk.insert(10, Item(999, "answer", "数据库迁移尚需确认。", ""))
    assert "数据库迁移尚需确认。" in extract("", cjk, "保留数据库的限制")


def test_thoughts_and_notices_are_left_out() -> None:
    """What the model only thought, or its program told it, is no part of a summary."""
    items = [
        Item(1, "reasoning", "secret thought", ""),
        Item(2, "notice", "a notice", ""),
        Item(3, "prompt", "Do it.", ""),
    ]
    text = extract("", items, "")
    assert "Do it." in text
    assert "thought" not in text
    assert "notice" not in text
