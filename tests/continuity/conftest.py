"""A world on each driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from continuity.world import World
from store.helpers import DRIVERS, open_store, use_driver

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=DRIVERS)
def world(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    use_driver(request.param, monkeypatch)
    store = open_store(str(tmp_path / "x.db"))
    yield World(store, tmp_path / "ws")
    store.close()
