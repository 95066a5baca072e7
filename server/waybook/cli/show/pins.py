"""Pins and proposals as people read them: always the whole, exact text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.notes import lines
from waybook.cli.show.words import heading, plural, safe, when

if TYPE_CHECKING:
    from waybook.commands.pins_proposals import Proposals
    from waybook.pins.model import Answered, Pin, PinRemoved, Pins, PinWritten, Proposal


def _pin(pin: Pin) -> None:
    heading(f"{pin.id}  version {pin.version}, {plural(pin.characters, 'character')}")
    click.echo(f"  {when(pin.updated_at)} by {safe(pin.updated_by)} ({pin.origin})")
    lines(pin.text)


def _used(count: int, characters: int) -> None:
    click.echo(f"\n{count} of 32 pins, {characters:,} of 32,768 characters.")


def show_pins(result: Pins) -> None:
    """Every pin of a thread, in order."""
    if not result.pins:
        click.echo(f"No pins. Add one: waybook pins add {result.thread_id} --text TEXT")
        return
    for pin in result.pins:
        _pin(pin)
    _used(len(result.pins), result.characters)


def show_written(result: PinWritten) -> None:
    """A pin after a write."""
    _pin(result.pin)
    _used(result.pins, result.characters)


def show_removed(result: PinRemoved) -> None:
    """A pin that is gone."""
    click.echo(f"{result.id} was removed (version {result.version}) and cannot be brought back.")
    if result.erasure == "pending":
        click.echo("Another program is reading the store: the text leaves the file with the next write.")


def show_proposal(proposal: Proposal) -> None:
    """One proposal with its exact text, and how to answer it."""
    heading(f"{proposal.id}  {proposal.status}, {plural(proposal.characters, 'character')}")
    click.echo(f"  {when(proposal.proposed_at)} by {safe(proposal.proposed_by)} {proposal.run_id}".rstrip())
    lines(proposal.text)
    if proposal.answer is not None:
        answer = proposal.answer
        click.echo(f"  answered {answer.choice} by {safe(answer.answered_by)}, {when(answer.answered_at)}")
        if answer.reply:
            lines(answer.reply, "  > ")
        if answer.pin_id:
            click.echo(f"  pinned as {answer.pin_id}")
    elif proposal.status == "open":
        click.echo(f"  answer: waybook pins answer {proposal.id} keep | only_now | custom --reply TEXT [--pin-reply]")


def show_proposals(result: Proposals) -> None:
    """Every proposal in full."""
    if not result.proposals:
        click.echo("No proposals wait for an answer.")
        return
    for proposal in result.proposals:
        show_proposal(proposal)


def show_answered(result: Answered) -> None:
    """What a proposal's answer did."""
    show_proposal(result.proposal)
    if result.repeated:
        click.echo("  It had been answered so before; nothing was written.")
