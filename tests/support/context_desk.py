"""Contexts and tasks at one store, on each driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sessions.world import World
from store.helpers import DRIVERS, keep, open_store, use_driver
from waybook.context.service import ContextService
from waybook.tasks.service import TaskService

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Desk(World):
    """A world with traces and contracts."""

    def __init__(self, store: object) -> None:
        super().__init__(store)  # type: ignore[arg-type]
        self.contexts = ContextService(self.store, mask=keep)
        self.tasks = TaskService(self.store, self.contexts, mask=keep)


@pytest.fixture(params=DRIVERS)
def desk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    use_driver(request.param, monkeypatch)
    store = open_store(str(tmp_path / "x.db"))
    yield Desk(store)
    store.close()
