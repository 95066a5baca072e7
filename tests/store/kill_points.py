"""Kill -9 in the middle of database work, at every statement and at random moments. A program run by the tests.

`run(work, points)` forks for each point: the child dies by SIGKILL right before its n-th statement, or the parent kills
it after a delay; `True` comes back when the work had been acknowledged before.
"""

from __future__ import annotations

import os
import random
import signal
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine, event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def _die_before_statement(number: int) -> None:
    seen = 0

    @event.listens_for(Engine, "before_cursor_execute")
    def _count(*_arguments: Any) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)


def _fork(work: Callable[[], None], prepare: Callable[[], None]) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 3
        try:
            os.close(reading)
            prepare()
            work()
            os.write(writing, b"done")
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    return child, reading


def _finish(child: int, reading: int) -> tuple[bool, bool]:
    acknowledged = os.read(reading, 10) == b"done"
    os.close(reading)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0:
        raise RuntimeError("the child failed by itself")
    return acknowledged, os.WIFSIGNALED(status)


def at_every_statement(work: Callable[[], None]) -> Iterator[bool]:
    """Once for each statement of the work, and a last time unharmed; yields whether it was acknowledged."""
    number = 0
    while True:
        number += 1
        acknowledged, killed = _finish(*_fork(work, lambda point=number: _die_before_statement(point)))
        yield acknowledged
        if not killed:
            return


def at_random(work: Callable[[], None], times: int, longest: float) -> Iterator[bool]:
    """At random moments within `longest` seconds."""
    chance = random.Random(4711)
    for _ in range(times):
        child, reading = _fork(work, lambda: None)
        time.sleep(chance.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        yield _finish(child, reading)[0]
