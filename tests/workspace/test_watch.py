"""Watching given directories: changes are told, new directories too; where the system refuses, files are looked at."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from waybook.workspace import watch
from waybook.workspace.watch import Watcher, signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class Heard:
    """What a watcher told."""

    def __init__(self) -> None:
        self.calls: list[frozenset[str]] = []
        self.news = threading.Condition()

    def __call__(self, paths: frozenset[str]) -> None:
        with self.news:
            self.calls.append(paths)
            self.news.notify_all()

    def until(self, condition: Callable[[], bool], seconds: float = 10) -> None:
        with self.news:
            assert self.news.wait_for(condition, seconds), self.calls

    def paths(self) -> set[str]:
        return {path for call in self.calls for path in call}


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def watcher(heard: Heard) -> Iterator[Watcher]:
    made = Watcher(heard, poll_seconds=0.1)
    yield made
    made.stop()
    if made._thread is not None:
        made._thread.join(5)
        assert not made._thread.is_alive()


def test_changes_in_a_directory_are_told_and_those_below_are_not(
    tmp_path: Path, heard: Heard, watcher: Watcher
) -> None:
    """Only the directories followed; first of all that anything may have changed before."""
    (tmp_path / "below").mkdir()
    watcher.follow([str(tmp_path)])
    heard.until(lambda: frozenset() in heard.calls)
    (tmp_path / "below" / "b.md").write_text("b")
    (tmp_path / "a.md").write_text("a")
    heard.until(lambda: str(tmp_path / "a.md") in heard.paths())
    assert str(tmp_path / "below" / "b.md") not in heard.paths()


def test_following_others_starts_anew(tmp_path: Path, heard: Heard, watcher: Watcher) -> None:
    """A directory added later is watched; the same ones again cost nothing; missing ones are passed over."""
    watcher.follow([str(tmp_path)])
    heard.until(lambda: len(heard.calls) == 1)
    watcher.follow([str(tmp_path)])
    (tmp_path / "new").mkdir()
    heard.until(lambda: str(tmp_path / "new") in heard.paths())
    count = len(heard.calls)
    watcher.follow([str(tmp_path), str(tmp_path / "new"), str(tmp_path / "missing")])
    heard.until(lambda: frozenset() in heard.calls[count:])
    (tmp_path / "new" / "c.md").write_text("c")
    heard.until(lambda: str(tmp_path / "new" / "c.md") in heard.paths())


def test_where_the_system_refuses_files_are_looked_at(
    tmp_path: Path, heard: Heard, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No watch left: changes, new files and deletions are found by looking."""

    def refuse(_directories: list[str]) -> Any:
        raise OSError("no space left on device")

    monkeypatch.setattr(watch, "_notifier", refuse)
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "b.md").write_text("b")
    watcher.follow([str(tmp_path)])
    deadline = time.monotonic() + 5
    while not watcher.polling and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)
    (tmp_path / "a.md").write_text("changed")
    (tmp_path / "b.md").unlink()
    (tmp_path / "c.md").write_text("c")
    expected = {str(tmp_path / name) for name in ("a.md", "b.md", "c.md")}
    heard.until(lambda: expected <= heard.paths())


def test_a_signature_sees_replacement_and_absence(tmp_path: Path) -> None:
    """An atomic save gives another inode; a directory that is gone is a fact, not an error."""
    (tmp_path / "a.md").write_text("a")
    before = signature([str(tmp_path)])
    (tmp_path / "t").write_text("a")
    (tmp_path / "t").rename(tmp_path / "a.md")
    assert signature([str(tmp_path)])[str(tmp_path / "a.md")] != before[str(tmp_path / "a.md")]
    assert signature([str(tmp_path / "gone")]) == {str(tmp_path / "gone"): (0, 0, 0)}
