"""dsh (deepseek-harness): how it loads instruction files is not documented anywhere we know of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waybook.agents.model import Loading, Profile, Request, Rule
from waybook.agents.parts.trace import Trace

if TYPE_CHECKING:
    from waybook.workspace.box import Box


def _load(request: Request, box: Box) -> Loading:
    trace = Trace(PROFILE, request, box)
    trace.note("How dsh loads instruction files is neither measured nor documented: no file is claimed to load.")
    return trace.loading()


PROFILE = Profile(
    id="dsh",
    name="dsh",
    version="unknown",
    confidence="documented",
    names=(),
    reach="where it looks is not documented.",
    rules=(Rule("Nothing is known about instruction files; only its session references are documented.", "reported"),),
    run=_load,
)
