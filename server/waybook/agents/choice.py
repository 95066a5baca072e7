"""Which agents a question is put to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents import MEASURED, ids, profile
from waybook.agents.traces import in_use

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waybook.agents.model import Request
    from waybook.workspace.box import Box


def chosen_agents(asked: Sequence[str], request: Request, box: Box, setting: Sequence[str] = ()) -> tuple[str, ...]:
    """The ids asked for (comma-separated or repeated, `all`), else those in use, else every measured one.

    Raises `UsageError` for an unknown id.
    """
    wanted = [name.strip() for item in asked for name in item.split(",") if name.strip()]
    if "all" in wanted:
        return ids()
    for name in wanted:
        profile(name)
    if wanted:
        return tuple(dict.fromkeys(wanted))
    known = set(ids())
    return tuple(name for name in in_use(request, box, setting) if name in known) or MEASURED
