"""Files x agents: for every instruction file of a workspace, what each agent does with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from posixpath import dirname
from typing import TYPE_CHECKING, Literal

from waybook.agents import explain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from waybook.agents.model import Loaded, Loading, NotLoaded, Request
    from waybook.workspace.box import Box

State = Literal["start", "lazy", "listed", "cut", "not_loaded", "unread"]
"""`unread`: the agent does not know files of this name."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one agent does with one file; `reason` and `why` as in its answer, `cut_at` in bytes for a cut file."""

    agent: str
    state: State
    reason: str = ""
    why: str = ""
    cut_at: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One file with a cell for each agent, in the order asked. `target` is what the agents were asked about."""

    path: str
    abs_path: str
    target: str
    cells: tuple[Cell, ...]


def rows(request: Request, targets: Iterable[str], agents: Sequence[str], box: Box) -> Iterator[Row]:
    """The rows of each target in turn; a file is shown once, for the first target whose answers name it.

    A file that no agent asked would read, whatever its place, has no row.

    `targets` are absolute paths inside the box. To see a whole workspace, ask about each directory that holds
    instruction files, the root first.
    """
    told: set[str] = set()
    for target in targets:
        asked = replace(request, target=None if target == request.workspace else target)
        loadings = explain(agents, asked, box)
        paths = {item.abs_path: item.path for loading in loadings for item in loading.chain}
        paths |= {item.abs_path: item.path for loading in loadings for item in loading.not_loaded}
        for abs_path in sorted(paths, key=lambda path: (path.count("/"), dirname(path), path)):
            if abs_path not in told:
                told.add(abs_path)
                cells = tuple(_cell(loading, abs_path) for loading in loadings)
                if any(cell.state != "unread" for cell in cells):
                    yield Row(paths[abs_path], abs_path, target, cells)


def _cell(loading: Loading, path: str) -> Cell:
    for loaded in loading.chain:
        if loaded.abs_path == path:
            return _loaded(loading.agent, loaded)
    for missed in loading.not_loaded:
        if missed.abs_path == path and missed.reason != "wrong_name":
            return _missed(loading.agent, missed)
    return Cell(loading.agent, "unread")


def _loaded(agent: str, item: Loaded) -> Cell:
    state: State = "cut" if item.cut_at is not None else item.when
    return Cell(agent, state, why=item.why, cut_at=item.cut_at)


def _missed(agent: str, item: NotLoaded) -> Cell:
    return Cell(agent, "not_loaded", item.reason, item.why)
