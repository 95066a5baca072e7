"""specialist_result: finished results of one attempt of a sub-agent, short where they are large."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.talks import Talk, thread_with_talk
from waybook.base.errors import ConflictError, NotFoundError, RefusedError, UsageError
from waybook.recall.pages import Wish
from waybook.recall.specialist import HEAD_BYTES, LARGE_BYTES, SpecialistService

if TYPE_CHECKING:
    from sessions.world import World


def specialist(world: World) -> tuple[SpecialistService, str, Talk]:
    """A run whose sub-agent has made calls."""
    _, run, _ = thread_with_talk(world)
    child = Talk(world, run, "child", parent="s1", parent_call="c9")
    return SpecialistService(world.store), run, child


def test_large_results_are_short_and_read_back_whole(world: World) -> None:
    """A small one shows as it is; a large one its beginning, size and hash, and every byte in pages."""
    service, run, child = specialist(world)
    child.call("shell", "small")
    child.call("shell", "大" * 5000, arguments='{"c": 1}')
    small, large = service.list(run, child.id).receipts
    assert (small.whole, small.text) == (True, "{}\n\nsmall")
    assert not large.whole
    assert large.bytes > LARGE_BYTES
    assert 0 < len(large.text.encode()) <= HEAD_BYTES
    pages = [service.read(run, child.native_id, 1, large.handle, Wish())]
    while (offset := pages[-1].next_offset) is not None:
        pages.append(service.read(run, child.id, 1, large.handle, Wish(offset, 0, large.content_sha256)))
    assert "".join(page.text for page in pages) == '{"c": 1}\n\n' + "大" * 5000
    assert pages[0].content_sha256 == large.content_sha256


def test_unfinished_and_rejected_calls_are_never_shown_as_finished(world: World) -> None:
    """They are counted; nothing of them is read."""
    service, run, child = specialist(world)
    child.call("shell", "half", state="unfinished")
    child.call("shell", "no", state="rejected")
    child.call("shell", "yes", state="failed")
    found = service.list(run, child.id)
    assert [(item.state, item.text) for item in found.receipts] == [("failed", "{}\n\nyes")]
    assert found.open_calls == 2


def test_a_handle_is_good_in_its_own_run_agent_and_attempt_only(world: World) -> None:
    """Attempts at one call count from 1 in the order they began; sub-agents of sub-agents belong to the run too."""
    service, run, child = specialist(world)
    child.call("shell", "first attempt")
    again = Talk(world, "", "again", parent="s1", parent_call="c9")
    again.call("shell", "second attempt")
    deep = Talk(world, "", "deep", parent="again", parent_call="c1")
    deep.call("shell", "deeper")
    (first,) = service.list(run, child.id, 1).receipts
    (second,) = service.list(run, again.id, 2).receipts
    assert service.list(run, "deep").receipts[0].text == "{}\n\ndeeper"
    for agent, attempt in ((again.id, 2), ("deep", 1)):
        with pytest.raises(RefusedError):
            service.read(run, agent, attempt, first.handle, Wish())
    with pytest.raises(RefusedError):
        service.read(run, child.id, 1, second.handle, Wish())
    for agent, attempt in ((again.id, 1), (child.id, 2), ("s1", 1), ("nobody", 1)):
        with pytest.raises(NotFoundError):
            service.list(run, agent, attempt)
    _, other, _ = thread_with_talk(world, name="other")
    with pytest.raises(NotFoundError):
        service.read(other, child.id, 1, first.handle, Wish())


def test_every_page_is_checked_again(world: World) -> None:
    """Changed: conflict. No longer there: not available. Page two needs the hash."""
    service, run, child = specialist(world)
    child.call("shell", "word " * 2000)
    (large,) = service.list(run, child.id).receipts
    with pytest.raises(UsageError):
        service.read(run, child.id, 1, large.handle, Wish(4096))
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE tool_receipts SET output = 'other'")
    with pytest.raises(ConflictError):
        service.read(run, child.id, 1, large.handle, Wish())
    with world.store.write() as connection:
        connection.exec_driver_sql("UPDATE tool_receipts SET state = 'unfinished'")
    with pytest.raises(NotFoundError) as caught:
        service.read(run, child.id, 1, large.handle, Wish())
    assert caught.value.code == "not-available"
