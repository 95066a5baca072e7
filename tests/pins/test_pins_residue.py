"""A pin that was removed or replaced is in no file any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessions.world import OPERATOR, World
from store.helpers import DRIVERS, open_store, use_driver

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("driver", DRIVERS)
def test_removed_and_replaced_texts_are_gone(tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Among many pins of many sizes; what is still pinned is whole."""
    use_driver(driver, monkeypatch)
    world = World(open_store("", data_dir=str(tmp_path / "data")))
    threads = [world.thread() for _ in range(4)]
    pins = [
        world.pins.add(threads[number % 4], f"needle{number:03}. {'x' * (number * 31 % 800)}", OPERATOR).pin
        for number in range(96)
    ]
    for pin in pins[::3]:
        world.pins.remove(pin.id, 1, OPERATOR)
    for pin in pins[1::3]:
        assert world.pins.edit(pin.id, 1, "other", OPERATOR).erasure == "done"
    blobs = [path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file()]
    left = [number for number in range(96) if any(f"needle{number:03}.".encode() in blob for blob in blobs)]
    assert left == list(range(2, 96, 3))
    world.store.close()
