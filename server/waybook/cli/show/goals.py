"""Goal trees as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import safe

if TYPE_CHECKING:
    from waybook.commands.goals_list import GoalList


def show_goals(result: GoalList) -> None:
    """The tree, as a model sees it, with what came of closed goals."""
    if not result.goals:
        click.echo(f"No goals yet. Add one: waybook goals add {result.owner} TITLE")
        return
    for line in result.text.splitlines():
        click.echo(safe(line))
