"""The matrix as people read it: a mark for each agent, printed row by row, and a legend for the marks that occurred."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.agents.matrix import Row
from waybook.cli.show.words import heading, safe

if TYPE_CHECKING:
    from waybook.agents.matrix import Cell
    from waybook.commands.agents_matrix import Matrix

MARKS = {
    "start": ("yes", "green", "in the first request"),
    "lazy": ("touch", "cyan", "added when a file below it is read or edited"),
    "listed": ("path", "blue", "only its path is told to the model"),
    "cut": ("CUT", "yellow", "loaded, but its end is lost"),
    "not_loaded": ("no", "red", "exists, but does not load"),
    "unread": (".", None, "the agent does not read files of this name"),
}
_PATH_WIDTH = 44


class Printer:
    """Prints the head on the first part, then each row at once; `finish` prints the reasons and the legend."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._widths: list[int] = []

    def emit(self, part: Matrix | Row) -> None:
        """A part of the result as the command makes it."""
        if isinstance(part, Row):
            self._row(part)
        else:
            self._head(part)

    def _head(self, matrix: Matrix) -> None:
        heading(f"Instruction files and who loads them, started in {safe(matrix.box.host(matrix.request.cwd))}")
        self._widths = [max(len(agent), 5) for agent in matrix.agents]
        names = "  ".join(agent.ljust(width) for agent, width in zip(matrix.agents, self._widths, strict=True))
        click.echo(f"  {'':<{_PATH_WIDTH}}  {names}".rstrip())

    def _row(self, row: Row) -> None:
        path = safe(row.path)
        if len(path) > _PATH_WIDTH:
            path = f"...{path[-(_PATH_WIDTH - 3) :]}"
        marks = "  ".join(self._mark(cell, width) for cell, width in zip(row.cells, self._widths, strict=True))
        click.echo(f"  {path:<{_PATH_WIDTH}}  {marks}".rstrip())

    def _mark(self, cell: Cell, width: int) -> str:
        self._seen.add(cell.state)
        mark, colour, _ = MARKS[cell.state]
        return click.style(mark.ljust(width), fg=colour)

    def finish(self, matrix: Matrix) -> None:
        """Why files do not load, and what the marks mean."""
        if not matrix.rows:
            click.echo("  No instruction files found.")
            return
        lost = [(row.path, cell) for row in matrix.rows for cell in row.cells if cell.state in {"not_loaded", "cut"}]
        if lost:
            click.echo("\nLost")
        for path, cell in lost:
            reason = cell.reason.replace("_", " ") or "cut"
            click.echo(f"  {safe(path)}  {cell.agent}: {reason}. {safe(cell.why)}")
        click.echo()
        for state, (mark, _, meaning) in MARKS.items():
            if state in self._seen:
                click.echo(f"  {mark:<6} {meaning}")
