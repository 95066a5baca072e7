"""`waybook setup` as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, paragraph, safe

if TYPE_CHECKING:
    from waybook.commands.setups.model import Plan

_STATES = {
    "new": "It does not exist yet.",
    "append": "It exists; these lines would be added to its end.",
    "present": "It names Waybook already: there is nothing to do.",
}


def show(plan: Plan) -> None:
    """The steps, then the file, then what it has to say, ready to be copied."""
    heading(plan.title)
    for number, step in enumerate(plan.steps, 1):
        click.echo(paragraph(safe(step), "     ", f"  {number}. "))
    click.echo(f"\n  Tried with: {plan.tried}\n")
    if plan.file:
        click.echo(f"{safe(plan.file)}\n  {_STATES.get(plan.state, safe(plan.reason))}\n")
    if plan.addition and plan.state != "present":
        click.echo("\n".join(safe(line) for line in plan.addition.splitlines()) + "\n")
