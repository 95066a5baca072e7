"""A world on the driver that is used where it can be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessions.world import World
from store.helpers import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    store = open_store(str(tmp_path / "x.db"))
    yield World(store)
    store.close()
