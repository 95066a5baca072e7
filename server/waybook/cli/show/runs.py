"""Runs and workspaces as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, safe, table, when

if TYPE_CHECKING:
    from waybook.commands.runs_list import Runs
    from waybook.commands.workspaces_list import Workspaces
    from waybook.sessions.model import Run


def show_run(run: Run) -> None:
    """One run with what it is pinned to."""
    heading(f"{run.id}  {run.state}")
    table(
        [
            ("goal", safe(run.goal)),
            ("workspace", f"{safe(run.workspace)} ({run.workspace_id})"),
            ("target", safe(run.target)),
            ("profile", safe(run.profile or "none")),
            ("created", f"{when(run.created_at)} by {safe(run.created_by)}"),
            ("pinned", f"revision {run.revision}, fingerprint {run.fingerprint}" if run.revision else "nothing"),
        ]
    )
    click.echo(f"\nCompare it with the disk: waybook context instructions --run {run.id}")


def show_runs(result: Runs) -> None:
    """One line a run."""
    if not result.runs:
        click.echo("No runs yet. Create one: waybook run create --goal TEXT")
        return
    table([(run.id, run.state, when(run.created_at), safe(run.workspace), safe(run.goal)) for run in result.runs], "")


def show_workspaces(result: Workspaces) -> None:
    """One line a workspace."""
    if not result.workspaces:
        click.echo("No workspaces yet. `waybook pin` or `waybook run create` registers one.")
        return
    table([(safe(item.name), item.id, safe(item.root)) for item in result.workspaces], "")
