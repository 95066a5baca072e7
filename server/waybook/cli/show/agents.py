"""What agents load, as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, listed, paragraph, plural, safe, size, table

if TYPE_CHECKING:
    from waybook.agents.model import Loaded, Loading
    from waybook.commands.agents_explain import AgentsExplanation
    from waybook.commands.agents_list import Agents

_BASIS = {"measured": "measured on", "source": "by its", "documented": "by its", "reported": "as reported:"}
WHEN = {"start": "start", "lazy": "on touch", "listed": "path only"}


def show_list(result: Agents) -> None:
    """For each agent its id, what the answers rest on, the names it reads and where it looks; those in use first."""
    for item in sorted(result.agents, key=lambda item: not item.in_use):
        name = click.style(f"{item.id:<16}", bold=True)
        used = click.style("in use", fg="green") if item.in_use else ""
        click.echo(f"{name} {used:<6}  {_BASIS[item.confidence]} {item.version}")
        names = f"{', '.join(item.reads)}: " if item.reads else ""
        click.echo(paragraph(f"{names}{item.reach}", "    "))
    click.echo(
        f"\nworkspace {safe(result.workspace)}. `waybook explain FILE --agent ID` shows what one loads, and why; "
        "the setting `agents` names those that matter."
    )


def show_explanation(result: AgentsExplanation) -> None:
    """One block an agent: its chain in order, what it leaves out and why."""
    body = result.to_json()
    heading(f"What {plural(len(result.agents), 'agent')} would load for {safe(body['target'])}")
    click.echo(
        f"  workspace {safe(body['workspace'])} (found by: {result.workspace_found_by}), started in {safe(body['cwd'])}"
    )
    for answer in result.agents:
        click.echo()
        _show_loading(answer.loading, answer.tokens, result.tokens_encoding)


def _show_loading(loading: Loading, tokens: int | None, encoding: str) -> None:
    counted = "" if tokens is None else f", about {tokens:,} {encoding.partition('_')[0]} tokens"
    total = f"{plural(len(loading.chain), 'file')}, {size(loading.bytes)}{counted}"
    click.echo(
        f"{click.style(loading.agent, bold=True)} {loading.version}  "
        f"{click.style(loading.confidence, fg='green' if loading.confidence == 'measured' else 'yellow')}  {total}"
    )
    table([_loaded(position, item) for position, item in enumerate(loading.chain, 1)])
    other = [item for item in loading.not_loaded if item.reason == "wrong_name" and "does not read files" in item.why]
    lost = [item for item in loading.not_loaded if item not in other]
    if lost:
        click.echo("  not loaded")
        table([(safe(item.path), item.reason.replace("_", " "), item.why) for item in lost], "    ")
    if other:
        click.echo(paragraph(f"of other agents: {listed([safe(item.path) for item in other])}", "    ", "  "))
    for note in loading.notes:
        click.echo(f"  note: {safe(note)}")


def _loaded(position: int, item: Loaded) -> tuple[str, ...]:
    cut = f"cut at {size(item.cut_at)}" if item.cut_at is not None else ""
    return (f"{position:>2}", safe(item.path), WHEN[item.when], size(item.bytes), cut, item.why)
