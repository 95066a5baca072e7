"""Continuity snapshots of a run's chain are recalled: their own summary, and the messages they captured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from continuity.world import World
from store.helpers import OPERATOR, open_store
from waybook.base.errors import NotFoundError
from waybook.recall.pages import Wish
from waybook.recall.service import RecallService

if TYPE_CHECKING:
    from pathlib import Path


def test_a_checkpoint_is_found_and_read_by_its_own_chain_alone(tmp_path: Path) -> None:
    """By its title, its summary or what it captured; another run's handle and search come to nothing."""
    world = World(open_store(str(tmp_path / "x.db")), tmp_path / "shop")
    run, other = world.run(), world.run("another goal")
    world.say(run.id, "please keep the ledger needle", "kept")
    node = world.continuity.checkpoint(run.id, OPERATOR, title="Ledger reviewed", summary="Ready for the next step.")
    recall = RecallService(world.store)
    for query in ("ledger reviewed", "next step", "ledger needle"):
        found = [hit for hit in recall.search(run.id, query).hits if hit.kind == "continuity"]
        assert [hit.id for hit in found] == [node.id], query
    text = recall.read(run.id, found[0].handle, Wish()).text
    assert text.startswith("Ready for the next step.")
    assert "please keep the ledger needle" in text
    assert recall.search(other.id, "ledger").hits == ()
    with pytest.raises(NotFoundError):
        recall.search("run_missing", "ledger")
    world.store.close()
