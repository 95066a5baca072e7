"""Watching the editor's process."""

from __future__ import annotations

import subprocess
import sys
import threading

from waybook.lsp.parent import alive, watch_parent


def test_the_end_of_a_process_is_noticed_once() -> None:
    """After it was seen alive."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    gone = threading.Event()
    calls: list[int] = []

    def note() -> None:
        calls.append(1)
        gone.set()

    assert alive(process.pid)
    thread = watch_parent(process.pid, note, interval=0.01)
    assert not gone.wait(0.1)
    process.communicate(b"\n", timeout=20)
    assert gone.wait(20)
    thread.join(5)
    assert calls == [1]


def test_a_process_in_another_world_is_not_watched() -> None:
    """An editor in another container has an id that means nothing here: that is no reason to leave."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(20)
    gone = threading.Event()
    watch_parent(process.pid, gone.set, interval=0.01).join(5)
    assert not gone.is_set()
