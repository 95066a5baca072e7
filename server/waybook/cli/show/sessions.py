"""Sessions as people read them on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, plural, safe, size, table, when
from waybook.sessions.messages.model import Conversation
from waybook.sessions.messages.rendering import words

if TYPE_CHECKING:
    from waybook.commands.sessions_import import Imported
    from waybook.commands.sessions_list import Sessions
    from waybook.commands.sessions_scan import Scan
    from waybook.commands.sessions_search import Places
    from waybook.commands.sessions_show import Shown
    from waybook.sessions.messages.model import Message, Session

MOST_WARNINGS = 20
MOST_LINES = 40
"""Lines of a tool's output that a terminal shows; the documents and `--json` have all that is kept."""
_COLOURS = {"prompt": "blue", "answer": "green", "summary": "yellow"}


def show_list(result: Sessions) -> None:
    """One line a session."""
    if not result.sessions:
        click.echo("No sessions found. Other home: waybook sessions list --home DIR")
        return
    table([_row(session) for session in result.sessions], "")
    fresh = sum(not session.imported for session in result.sessions)
    click.echo()
    told = f"{plural(len(result.sessions), 'session')}"
    if result.pending:
        told += f"; {plural(result.pending, 'transcript')} with something new: waybook sessions import"
    elif fresh:
        told += f", {fresh} of them not imported: waybook sessions import"
    click.echo(told)
    click.echo(f"Read one: waybook sessions show {result.sessions[0].id}")


def _row(session: Session) -> tuple[str, ...]:
    marks = [word for word, holds in (("fork", session.forked_from), ("subagent", session.parent)) if holds]
    title = safe(session.title or session.native_id) + (f" [{', '.join(marks)}]" if marks else "")
    count = "?" if session.messages is None else str(session.messages)
    time = when(session.updated_at) if session.updated_at else "unknown"
    return (session.id, session.agent, time, f"{count:>4} messages", safe(session.cwd or "unknown project"), title)


def show_scan(result: Scan) -> None:
    """One line an agent."""
    if not result.agents:
        click.echo("No transcripts found. Other home: waybook sessions scan --home DIR")
        return
    table(
        [
            (item.agent, plural(item.files, "transcript"), size(item.bytes), f"{item.pending} with something new")
            for item in result.agents
        ],
        "",
    )
    if any(item.pending for item in result.agents):
        click.echo("\nImport them: waybook sessions import")


def show_import(result: Imported) -> None:
    """What came in, and what could not be read."""
    click.echo(
        f"{plural(result.new_messages, 'new message')} and {plural(result.new_sessions, 'new session')} "
        f"from {plural(result.read, 'transcript')} of {result.files}."
    )
    for path in result.replaced[:MOST_WARNINGS]:
        click.echo(f"  {safe(path)} is another file than before; it was read anew.")
    for item in result.warnings[:MOST_WARNINGS]:
        click.echo(f"  {safe(item.path)}{f':{item.line}' if item.line else ''}: {safe(item.message)}")
    if len(result.warnings) > MOST_WARNINGS:
        click.echo(f"  and {len(result.warnings) - MOST_WARNINGS:,} more; see --json")
    if result.new_messages:
        click.echo("See them: waybook sessions list")


def show_conversation(result: Shown) -> None:
    """The document that was asked for, else the conversation for a terminal."""
    if result.text:
        click.echo(result.text.encode("utf-8", "replace"), nl=False)
        return
    whole = Conversation(result.session, result.messages, result.children, result.forks, result.instructions)
    heading(safe(result.session.title or result.session.native_id))
    table([(name, safe(value)) for name, value in words.facts(whole)])
    if result.instructions is not None:
        changed = sum(item.changed for item in result.instructions)
        click.echo(f"  instructions the agent would load now ({changed} changed since this session):")
        for item in result.instructions:
            click.echo(f"    {safe(item.path)}{' (changed)' if item.changed else ''}")
    children = words.children_by_call(whole)
    for message in result.messages:
        _message(message, children)


def _message(message: Message, children: dict[str, Session]) -> None:
    click.echo()
    time = f"  {words.stamp(message.at)}" if message.at else ""
    click.secho(f"{words.speaker(message)}{time}", bold=True, fg=_COLOURS.get(message.kind))
    receipt = message.receipt
    if receipt is None:
        _lines(message.text)
        return
    click.echo(f"  {safe(receipt.name or 'tool')}: {words.outcome(receipt)}")
    child = children.get(receipt.call_id)
    if child is not None:
        click.echo(f"  subagent {child.id}: {safe(child.title)} ({words.counts(child)})")
    _lines(receipt.arguments, MOST_LINES)
    _lines(receipt.output, MOST_LINES)


def _lines(text: str, most: int = 0) -> None:
    lines = text.split("\n") if text.strip() else []
    shown = lines[:most] if most else lines
    for line in shown:
        click.echo(f"  {safe(line.replace(chr(9), '    '))}".rstrip())
    if len(shown) < len(lines):
        click.echo(f"  ({len(lines) - len(shown):,} more lines; see --markdown)")


def show_places(result: Places) -> None:
    """One match after another."""
    for item in result.found:
        title = safe(item.session.title or item.session.native_id)
        click.secho(f"{item.session.id}  {item.session.agent}  {words.stamp(item.at)}  {title}", bold=True)
        click.echo(f"  {words.SPEAKERS[item.kind]}: {safe(item.excerpt)}")
    if not result.found:
        click.echo(f"Nothing found for {safe(result.query)}.")
    if result.pending:
        click.echo(f"{plural(result.pending, 'transcript')} not searched yet: waybook sessions import")
