"""Sessions that nine real programs wrote can be compacted, and nothing of them changes by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sessions.transcripts.samples import Library, mask, scenarios, unpack
from sessions.world import OPERATOR
from waybook.base.cancel import Progress
from waybook.base.errors import ConflictError
from waybook.compaction.extractive import Extractive
from waybook.compaction.model import KEPT_MESSAGES, SPOKEN
from waybook.compaction.service import CompactionService, Order

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Everything that was recorded, in one store."""
    base: Path = tmp_path_factory.mktemp("samples")
    made = Library(base / "store" / "x.db")
    for number, scenario in enumerate(scenarios()):
        unpack(scenario, base / str(number))
        made.bring(base / str(number) / "home")
    yield made
    made.store.close()


def spoken(library: Library, session_id: str) -> int:
    """Prompts, answers and summaries that are on the session's way."""
    return sum(item.kind in SPOKEN and not item.hidden and not item.side for item in library.messages(session_id))


def rows(library: Library) -> dict[str, list[tuple[Any, ...]]]:
    return library.rows()


def test_every_recorded_session_is_compacted_or_too_short(library: Library) -> None:
    """Each long one gets a summary with its first wish in it; no message, session or receipt is touched."""
    before = rows(library)
    service = CompactionService(library.store, mask)
    done: set[str] = set()
    for session in library.sessions(children=False):
        subject = service.subject(session.id)
        order = Order(subject, f"op-{session.id}")
        if spoken(library, session.id) <= KEPT_MESSAGES:
            with pytest.raises(ConflictError, match="nothing to compact"):
                service.compact(order, Extractive(), OPERATOR, Progress())
            continue
        result = service.compact(order, Extractive(), OPERATOR, Progress())
        assert (result.state, result.session_id, result.unread) == ("done", session.id, 0)
        assert result.kept == 4
        surface = service.surface(subject)
        assert surface is not None
        assert len(surface.verbatim) == len(result.verbatim)
        done.add(session.agent)
    assert len(done) >= 7, "two of the nine were recorded with short sessions only"
    assert rows(library) == before
