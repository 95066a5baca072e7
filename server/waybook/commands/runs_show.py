"""`runs.show`: one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from waybook.commands.model import Call, Command, param

if TYPE_CHECKING:
    from waybook.commands.services import Services
    from waybook.sessions.model import Run


@dataclass(frozen=True, slots=True)
class Params:
    """The run."""

    run: str = param("Run id.", positional=True)


def run(services: Services, params: Params, _call: Call) -> Run:
    """Raises `NotFoundError` for an unknown id."""
    return services.runs().show_run(params.run)


COMMAND = Command(id="runs.show", title="Show a run", params=Params, run=run, actor="agent")
