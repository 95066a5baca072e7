"""Previews of sessions that real agents recorded, kept or not, and of long ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from context.traces import grow
from sessions.transcripts.samples import scenarios, unpack
from support.workspaces import Desk, make_tree
from waybook.compaction.repository import Row
from waybook.context.gather import Gathered
from waybook.context.limits import Policy
from waybook.context.preview import preview, recent
from waybook.context.sizes import Sizes
from waybook.context.sources import told
from waybook.context.trace import paired

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(make_tree(tmp_path / "shop", {".git": None, "AGENTS.md": "Use tabs.\n"}))


@pytest.mark.parametrize("scenario", [name for name in scenarios() if "/S2-" in name or "/S4" in name])
def test_a_real_session_kept_or_not_gives_the_same_preview(scenario: str, tmp_path: Path, desk: Desk) -> None:
    """Every section adds up; the newest prompt is the input; calls have their results."""
    expected = unpack(scenario, tmp_path / "all")
    home = tmp_path / "all" / "home"
    desk.app.environ = {**desk.app.environ, "HOME": str(home)}
    (session, *_) = desk.call("sessions.list").sessions
    before = desk.call("context.preview", session=session.id, workspace=str(desk.root))
    desk.call("sessions.import")
    after = desk.call("context.preview", session=session.id, workspace=str(desk.root))
    assert after == before
    assert after.total_tokens == sum(one.tokens for one in after.sections if one.included)
    assert "instructions" in {one.kind for one in after.sections}
    asked = [one.title.strip('"…') for one in after.sections if one.kind == "input"]
    last = " ".join(expected["prompts"][-1].split())
    assert len(asked) == 1 or expected["compacted"]  # an agent may compact in the middle of an answer
    assert all(title in last for title in asked)
    if expected.get("compacted") and expected.get("summary"):
        assert "summary" in {one.kind for one in after.sections}


def row(seq: int, kind: str, text: str = "x", **fields: Any) -> Row:
    return Row(seq, kind, text, "", fields.get("marked", False), fields.get("call"))


def test_what_is_told_of_a_conversation() -> None:
    """Thoughts and what summaries stand for stay away; open calls say so; arguments that are no JSON are wrapped."""
    call = ("bash", "ls -l", "out", "ok", 0)
    open_call = ("bash", '{"c":1}', "half", "unfinished", None)
    path = told(
        [
            row(1, "prompt", "old"),
            row(2, "prompt", "marked", marked=True),
            row(3, "summary", "SUM"),
            row(4, "reasoning"),
            row(5, "call", call=call),
            row(6, "call", call=open_call),
            row(7, "notice"),
            row(8, "result", "orphan"),
            row(9, "answer", "fine"),
        ]
    )
    assert [(one.role, one.content) for one in path] == [
        ("user", "SUM"),
        ("assistant", ""),
        ("tool", "out"),
        ("assistant", ""),
        ("tool", "(not finished; its outcome is not known)"),
        ("user", "Tool result: orphan"),
        ("assistant", "fine"),
    ]
    assert path[1].calls[0].arguments == '{"text": "ls -l"}'
    assert paired(path)
    assert [one.sequence for one in path] == list(range(1, 8))


@pytest.mark.parametrize("seed", range(6))
def test_a_long_history_is_shown_as_it_would_be_sent(seed: int) -> None:
    """The newest messages, the request; of the older ones only how many there are and that a summary comes first."""
    grown = grow(seed, 1500, calm=True)
    path = grown.trace.path()
    shown = preview(Gathered((), (), (), path, grown.tree), Policy(window=6000), Sizes())
    (left,) = [one for one in shown.sections if not one.included]
    assert left.kind == "history"
    assert left.reason.startswith("quota: a summary")
    assert shown.total_tokens < 6000
    kept, older = recent(path)
    assert paired(kept)
    assert paired(older)
    assert {message.sequence for message in (*kept, *older)} == {message.sequence for message in path}


def test_a_history_that_fits_is_whole() -> None:
    """Nothing is left out, and nothing is said about summaries."""
    grown = grow(1, 100, calm=True)
    shown = preview(Gathered((), (), (), grown.trace.path(), grown.tree), Policy(window=1_000_000), Sizes())
    assert all(one.included for one in shown.sections)


def test_more_than_any_window_holds_is_told() -> None:
    """One message alone may be too long: then no call can be made, and the preview says so."""
    from waybook.context.model import Message

    path = (Message(1, 0, "a", "user", "x"), Message(2, 1, "b", "assistant", "word " * 9000))
    shown = preview(Gathered((), (), (), path), Policy(window=2000), Sizes())
    assert any(not one.included and "cannot be made" in one.reason for one in shown.sections)
