"""The matrix as people read it: a mark for each agent, printed row by row, then why files are lost, and a legend."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from waybook.agents.matrix import Row
from waybook.cli.show.words import heading, paragraph, safe

if TYPE_CHECKING:
    from waybook.agents.matrix import Cell
    from waybook.commands.agents_matrix import Matrix

MARKS = {
    "start": ("yes", "Y", "green", "in the first request"),
    "lazy": ("touch", "t", "cyan", "added when a file of its directory is read or edited"),
    "listed": ("path", "p", "blue", "only its path is told to the model"),
    "cut": ("CUT", "C", "yellow", "loaded, but its end is lost"),
    "not_loaded": ("no", "n", "red", "exists, but does not load"),
    "outside": ("out", "o", None, "not looked at by an agent started in this directory"),
    "unread": (".", ".", None, "the agent does not read files of this name"),
}
"""State -> mark, mark where there is little room, colour, meaning."""
_PATH_WIDTH = 40
_NARROW = 2
_MOST_NAMED = 6
"""Files named for one reason; `--json` has all."""


class Printer:
    """Prints the head on the first part, then each row at once; `finish` prints the reasons and the legend."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._widths: list[int] = []
        self._narrow = False

    def emit(self, part: Matrix | Row) -> None:
        """A part of the result as the command makes it."""
        if isinstance(part, Row):
            self._row(part)
        else:
            self._head(part)

    def _head(self, matrix: Matrix) -> None:
        heading(f"Instruction files and who loads them, started in {safe(matrix.box.host(matrix.request.cwd))}")
        self._widths = [max(len(agent), 5) for agent in matrix.agents]
        room = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        self._narrow = room is not None and sum(self._widths) + 2 * len(self._widths) + _PATH_WIDTH + 2 > room
        names = list(matrix.agents)
        if self._narrow:
            self._widths = [_NARROW] * len(names)
            click.echo(paragraph(", ".join(f"{at}={name}" for at, name in enumerate(names, 1)), "  "))
            names = [str(at) for at in range(1, len(names) + 1)]
        click.echo(f"  {'':<{_PATH_WIDTH}}  {self._line(names)}".rstrip())

    def _row(self, row: Row) -> None:
        path = safe(row.path)
        if len(path) > _PATH_WIDTH:
            path = f"...{path[-(_PATH_WIDTH - 3) :]}"
        marks = self._line([self._mark(cell) for cell in row.cells], [self._style(cell) for cell in row.cells])
        if sys.stderr.isatty():
            click.echo("\r\x1b[K", nl=False, err=True)  # the progress line makes room for the row
        click.echo(f"  {path:<{_PATH_WIDTH}}  {marks}".rstrip())

    def _line(self, cells: list[str], colours: list[str | None] | None = None) -> str:
        """Cells under one another; what fills a column stands outside of the colour, and not at the end."""
        line, gap = "", ""
        for at, cell in enumerate(cells):
            line += gap + (click.style(cell, fg=colours[at]) if colours else cell)
            gap = " " * (self._widths[at] - len(cell) + (1 if self._narrow else 2))
        return line

    def _mark(self, cell: Cell) -> str:
        state = _state(cell)
        self._seen.add(state)
        wide, narrow, _, _ = MARKS[state]
        return narrow if self._narrow else wide

    @staticmethod
    def _style(cell: Cell) -> str | None:
        return MARKS[_state(cell)][2]

    def finish(self, matrix: Matrix) -> None:
        """Why files do not load, agent by agent, and what the marks mean."""
        if not matrix.rows:
            click.echo("  No instruction files found.")
            return
        _lost(matrix)
        click.echo()
        for state, (wide, narrow, _, meaning) in MARKS.items():
            if state in self._seen:
                click.echo(f"  {narrow if self._narrow else wide:<6} {meaning}")


def _state(cell: Cell) -> str:
    return "outside" if cell.state == "not_loaded" and cell.reason == "outside" else cell.state


def _lost(matrix: Matrix) -> None:
    """Each agent's reasons, each with the files that are lost for it."""
    for at, agent in enumerate(matrix.agents):
        reasons: dict[tuple[str, str], list[str]] = {}
        for row in matrix.rows:
            cell = row.cells[at]
            if cell.state in {"not_loaded", "cut"}:
                reasons.setdefault((cell.reason.replace("_", " ") or "cut", cell.why), []).append(safe(row.path))
        if reasons:
            click.echo()
            heading(f"{agent} does not load")
        for (reason, why), paths in reasons.items():
            click.echo(paragraph(f"{reason}: {safe(why)}", "    ", "  "))
            more = f" and {len(paths) - _MOST_NAMED:,} more" if len(paths) > _MOST_NAMED else ""
            click.echo(paragraph(", ".join(paths[:_MOST_NAMED]) + more, "      "))
