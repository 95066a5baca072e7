"""Pins and drift as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import MOST_LISTED, heading, listed, paragraph, plural, safe, table, when, workspace_line

if TYPE_CHECKING:
    from waybook.commands.instructions_confirm import ConfirmedBaseline
    from waybook.commands.instructions_drift import Drift
    from waybook.commands.instructions_pin import PinResult
    from waybook.instructions.ledger import Inspection


def place(scope: str) -> str:
    """A scope's name for people."""
    return safe(scope) if scope and scope != "." else "(root)"


def show_pin(result: PinResult) -> None:
    """The baseline, what is in it, what differs from the one before."""
    if not result.scopes:
        heading(f"{safe(result.workspace)} holds no instruction files; an empty baseline is pinned.")
    elif result.unchanged:
        heading(f"Already pinned: nothing differs from baseline {result.revision} of {when(result.pinned_at)}.")
    else:
        heading(f"Pinned {plural(len(result.scopes), 'directory', 'directories')} as baseline {result.revision}")
    click.echo(f"  {workspace_line(result)}\n")
    if result.differs and result.revision > 1 and not result.unchanged:
        click.echo(
            f"  new or changed since baseline {result.revision - 1}: {listed([place(name) for name in result.differs])}\n"
        )
    shown = result.scopes[:MOST_LISTED]
    table([(place(item.scope), plural(len(item.sources), "file"), item.fingerprint[:16]) for item in shown])
    if len(result.scopes) > MOST_LISTED:
        click.echo(f"  and {len(result.scopes) - MOST_LISTED:,} more; --json lists every one")
    gap = "\n" if result.scopes else ""
    click.echo(f"{gap}fingerprint {result.fingerprint}\nNext: `waybook drift` shows what changes from now on.")


def show_drift(result: Drift) -> None:
    """What changed, file by file, and how to accept it."""
    show_changes(result)
    if not result.stale:
        return
    if not result.expected_live_fingerprint:
        click.echo("Nothing can be confirmed while a directory is refused. Mend it first.")
        return
    run = f" --run {result.id}" if result.against == "run" else ""
    click.echo(f"Reviewed and fine? `waybook confirm{run}`")


def show_changes(result: Drift) -> None:
    """What changed, file by file, and which directories that concerns."""
    what = "baseline" if result.against == "baseline" else f"run {result.id}, revision"
    pinned = f"{what} {result.revision} of {when(result.pinned_at)} by {safe(result.pinned_by)}"
    if not result.stale:
        heading(f"No drift: the disk is what was pinned ({pinned}).")
        click.echo(f"  {workspace_line(result)}")
        return
    changed = f"{plural(len(result.files), 'file')} changed" if result.files else "Drift"
    heading(f"{changed} since {pinned}")
    click.echo(f"  {workspace_line(result)}")
    _show_scopes(result)
    click.echo()
    for change in result.files:
        click.secho(f"{safe(change.path)}  {change.change}", bold=True)
        show_difference(change.difference)
        click.echo()


def _show_scopes(result: Drift) -> None:
    """The directories by what became of them; a refusal once, however many directories it leaves without an answer."""
    by_state: dict[str, list[str]] = {}
    for item in result.scopes:
        state = f"refused: {safe(str(item.error['message']))}" if item.error else item.state
        by_state.setdefault(state, []).append(place(item.scope))
    for state, places in by_state.items():
        if state.startswith("refused"):
            click.secho(paragraph(state, "      ", "  "), fg="red")
            click.echo(paragraph(listed(places), "      ", "    in "))
        else:
            click.echo(paragraph(listed(places), "      ", f"  {state}: "))


def show_difference(text: str) -> None:
    """A unified diff, coloured on a terminal."""
    for line in text.split("\n")[2:]:
        colour = (
            "green"
            if line.startswith("+")
            else "red"
            if line.startswith("-")
            else "cyan"
            if line.startswith("@@")
            else None
        )
        click.secho(f"  {safe(line)}", fg=colour)


def show_confirmed(result: Inspection | ConfirmedBaseline) -> None:
    """What is pinned now."""
    from waybook.instructions.ledger import Inspection

    if isinstance(result, Inspection):
        newest = result.history[-1]
        heading(f"Confirmed: run {result.run_id} is pinned to revision {newest.revision}.")
        click.echo(f"fingerprint {newest.fingerprint}")
        return
    heading(f"Confirmed: baseline {result.revision} of {safe(result.workspace)}.")
    click.echo(f"fingerprint {result.fingerprint}")


def show_inspection(result: Inspection) -> None:
    """A run's pin beside the disk."""
    state = "stale" if result.stale else "unchanged" if result.pinned_present else "not pinned"
    heading(f"Run {result.run_id}: {state}")
    rows = [("pinned", result.pinned.fingerprint if result.pinned else "nothing")]
    rows.append(
        ("disk", result.live.fingerprint if result.live else f"refused: {safe(str((result.error or {})['message']))}")
    )
    table(rows)
    if result.diff and result.diff.requires_confirmation:
        click.echo()
        for word, paths in (
            ("added", result.diff.added),
            ("removed", result.diff.removed),
            ("changed", result.diff.changed),
        ):
            for path in paths:
                click.echo(f"  {word} {safe(path)}")
        if result.diff.order_changed:
            click.echo("  the order changed")
    if result.history:
        click.echo()
        heading("History")
        table(
            [
                (f"revision {item.revision}", when(item.created_at), safe(item.confirmed_by), item.fingerprint[:16])
                for item in result.history
            ]
        )
    if result.live and (result.stale or not result.pinned_present):
        click.echo(f"\nReviewed and fine? `waybook confirm --run {result.run_id}`")
