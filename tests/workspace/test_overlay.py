"""Unsaved buffers, from several threads."""

from __future__ import annotations

import threading

import pytest

from waybook.workspace.overlay import Buffer, Overlay


def test_put_get_drop():
    """An older version never replaces a newer one; a dropped buffer is gone."""
    overlay = Overlay()
    assert overlay.put("AGENTS.md", "two", 2)
    assert not overlay.put("AGENTS.md", "one", 1)
    assert overlay.get("AGENTS.md") == Buffer("two", 2)
    assert overlay.drop("AGENTS.md")
    assert not overlay.drop("AGENTS.md")
    assert overlay.get("AGENTS.md") is None


def test_a_snapshot_stands_still():
    """Later changes do not show; nobody can write into it; it is the same object until something changes."""
    overlay = Overlay()
    overlay.put("a", "1", 1)
    before = overlay.snapshot()
    assert overlay.snapshot() is before
    overlay.put("a", "2", 2)
    assert before["a"].text == "1"
    with pytest.raises(TypeError):
        before["a"] = Buffer("x", 9)


def test_many_threads():
    """Writers and readers at once: every snapshot is whole (both halves of a pair), and the last version stands."""
    overlay = Overlay()
    torn: list[str] = []
    stop = threading.Event()

    def read():
        while not stop.is_set():
            for path, buffer in overlay.snapshot().items():
                if buffer.text != f"{path}:{buffer.version}":
                    torn.append(path)

    def write(path):
        for version in range(1, 500):
            overlay.put(path, f"{path}:{version}", version)

    readers = [threading.Thread(target=read) for _ in range(2)]
    writers = [threading.Thread(target=write, args=(path,)) for path in ("a", "b", "a", "c")]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    stop.set()
    for thread in readers:
        thread.join()
    assert torn == []
    assert {path: buffer.version for path, buffer in overlay.snapshot().items()} == {"a": 499, "b": 499, "c": 499}
