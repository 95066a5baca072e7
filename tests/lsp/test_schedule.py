"""One pending piece of work per key."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from waybook.lsp.schedule import Schedule

if TYPE_CHECKING:
    from waybook.base.cancel import Progress


async def test_a_newer_piece_of_work_cancels_the_older() -> None:
    """Of many asked for in a row only the last one ends, and the others are told to stop."""
    failures: list[BaseException] = []
    schedule = Schedule(failures.append)
    done: list[int] = []
    seen: list[Progress] = []

    async def work(number: int, progress: Progress) -> None:
        seen.append(progress)
        await asyncio.sleep(0.01)
        done.append(number)

    for number in range(20):
        schedule.submit("key", lambda progress, number=number: work(number, progress))
        await asyncio.sleep(0)
    await asyncio.sleep(0.1)
    assert done == [19]
    assert [progress.cancelled for progress in seen] == [True] * (len(seen) - 1) + [False]
    assert failures == []


async def test_quiet_is_waited_for_but_not_for_ever() -> None:
    """Under a stream of calls the work still runs after the longest wait, and not for each call."""
    schedule = Schedule(lambda _: None)
    runs: list[float] = []
    loop = asyncio.get_running_loop()

    async def work(progress: Progress) -> None:
        runs.append(loop.time())

    started = loop.time()
    while loop.time() - started < 0.6:
        schedule.submit("key", work, delay=0.05, longest=0.2)
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.15)
    assert 2 <= len(runs) <= 5


async def test_keys_do_not_disturb_one_another() -> None:
    """Two documents are looked at side by side."""
    schedule = Schedule(lambda _: None)
    done: list[str] = []

    async def work(name: str) -> None:
        await asyncio.sleep(0.01)
        done.append(name)

    schedule.submit("a", lambda _: work("a"))
    schedule.submit("b", lambda _: work("b"))
    await asyncio.sleep(0.1)
    assert sorted(done) == ["a", "b"]
    assert schedule.busy("a") is None


async def test_a_crash_is_told_and_costs_only_that_work() -> None:
    """The next piece of work for the same key runs."""
    failures: list[BaseException] = []
    schedule = Schedule(failures.append)
    done: list[int] = []

    async def crash(progress: Progress) -> None:
        raise RuntimeError("boom")

    async def work(progress: Progress) -> None:
        done.append(1)

    schedule.submit("key", crash)
    await asyncio.sleep(0.02)
    schedule.submit("key", work)
    await asyncio.sleep(0.02)
    assert [str(item) for item in failures] == ["boom"]
    assert done == [1]


async def test_work_that_has_begun_may_be_let_finish() -> None:
    """A long look ends although events keep coming, and is followed by one more, not by one for each event."""
    schedule = Schedule(lambda _: None)
    done: list[int] = []

    async def work(number: int) -> None:
        await asyncio.sleep(0.05)
        done.append(number)

    for number in range(20):
        schedule.submit("key", lambda _, number=number: work(number), finish=True)
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.2)
    assert done[0] < 5
    assert done[-1] == 19
    assert len(done) <= 3
    schedule.submit("key", lambda _: work(99), finish=True)
    await asyncio.sleep(0.01)
    schedule.submit("key", lambda _: work(100), finish=True)
    schedule.stop()
    await asyncio.sleep(0.1)
    assert 99 not in done
    assert 100 not in done
