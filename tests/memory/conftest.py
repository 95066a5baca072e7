"""A memory service on a store of each driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memory.helpers import Clock
from store.helpers import DRIVERS, open_store, use_driver
from waybook.memory.search_service import SearchService
from waybook.memory.service import MemoryService

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waybook.store.store import Store


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=DRIVERS)
def store(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> Iterator[Store]:
    use_driver(request.param, monkeypatch)
    opened = open_store(str(tmp_path / "data" / "x.db"), clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def memory(store: Store) -> MemoryService:
    return MemoryService(store)


@pytest.fixture
def searcher(store: Store) -> SearchService:
    return SearchService(store)
