"""Threads, run moves and completions as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, plural, safe, table, when

if TYPE_CHECKING:
    from waybook.commands.threads_list import Threads
    from waybook.commands.threads_show import ShownThread
    from waybook.sessions.progress.model import Completion
    from waybook.sessions.progress.service import Moved
    from waybook.sessions.threads.model import Thread


def _thread(thread: Thread) -> None:
    heading(f"{thread.id}  {thread.state}, version {thread.version}")
    table(
        [
            ("title", safe(thread.title)),
            ("workspace", f"{safe(thread.workspace)} ({thread.workspace_id})"),
            ("runs", str(thread.runs)),
            ("pins", str(thread.pins)),
            ("opened", f"{when(thread.created_at)} by {safe(thread.created_by)}"),
        ]
    )


def show_created(thread: Thread) -> None:
    """A new thread, and what to do with it."""
    _thread(thread)
    click.echo(f"\nGive it a run: waybook run create --thread {thread.id} --goal TEXT")
    click.echo(f"Keep a requirement in it: waybook pins add {thread.id} --text TEXT")


def show_closed(thread: Thread) -> None:
    """A closed thread."""
    _thread(thread)
    click.echo("\nClosed: it stays readable and takes nothing new. Open proposals have expired.")


def show_thread(result: ShownThread) -> None:
    """A thread and its runs, oldest first."""
    _thread(result.thread)
    if result.chain:
        click.echo("\nRuns, oldest first:")
        table(
            [(str(run.sequence), run.run_id, run.state, when(run.created_at), safe(run.goal)) for run in result.chain]
        )


def show_threads(result: Threads) -> None:
    """One line a thread."""
    if not result.threads:
        click.echo("No open threads. Open one: waybook thread create --title TEXT")
        return
    table(
        [
            (
                item.id,
                item.state,
                f"v{item.version}",
                plural(item.runs, "run"),
                plural(item.pins, "pin"),
                safe(item.workspace),
                safe(item.title),
            )
            for item in result.threads
        ],
        "",
    )


def show_moved(result: Moved) -> None:
    """A run's new state."""
    if result.repeated:
        click.echo(f"{result.run.id} is {result.run.state} already.")
        return
    click.echo(f"{result.run.id}: {result.previous} -> {result.run.state}")
    if result.completion is not None:
        click.echo(f"Recorded as {result.completion.id}. What it concluded: waybook candidates list")


def show_completion(completion: Completion) -> None:
    """What was recorded as done."""
    subject = completion.run_id or completion.thread_id
    before = "had been recorded before" if completion.repeated else "recorded"
    click.echo(f"{completion.id}: {completion.kind} of {subject} {before} ({safe(completion.reference)})")
