"""A store on each driver: pysqlite3 with a write-ahead log, and the standard module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from store.helpers import DRIVERS, open_store, use_driver

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from waybook.store.store import Store


@pytest.fixture(params=DRIVERS)
def driver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    use_driver(request.param, monkeypatch)
    return request.param


@pytest.fixture
def store(driver: str, tmp_path: Path) -> Iterator[Store]:
    opened = open_store("", data_dir=str(tmp_path / "data"))
    yield opened
    opened.close()
