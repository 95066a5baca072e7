"""Every recorded run of a real program is answered as it went."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents.recorded import IMPOSSIBLE, Record, differences, listed_wrongly, materialise, records, request
from waybook.agents import MEASURED, profile
from waybook.workspace.box import Box

if TYPE_CHECKING:
    from pathlib import Path

RECORDS = [record for agent in MEASURED for record in records(agent)]


@pytest.mark.parametrize("record", RECORDS, ids=str)
def test_an_agent_loads_what_the_real_program_loaded(record: Record, tmp_path: Path) -> None:
    """Same files, same stage, same order where there is one, whole or cut at the same place."""
    reason = IMPOSSIBLE.get((record.agent, record.data["id"]))
    materialise(record, tmp_path)
    box = Box(str(tmp_path))
    answer = profile(record.agent).load(request(record, tmp_path), box)
    wrong = differences(record, answer, box) + listed_wrongly(record, answer)
    assert (not wrong) == (reason is None), (record.data["title"], wrong, reason)


def test_every_measured_agent_names_the_version_that_was_recorded() -> None:
    """A profile cannot claim another version than its records have."""
    for agent in MEASURED:
        assert {record.version for record in records(agent)} == {profile(agent).version}
