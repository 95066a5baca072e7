"""`waybook explain` as people read it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import heading, plural, safe, size, table

if TYPE_CHECKING:
    from waybook.commands.instructions_explain import Explanation
    from waybook.instructions.model import Snapshot


def show(result: Explanation) -> None:
    """The chain in reading order, what does not apply and why, and the fingerprint."""
    snapshot = result.snapshot
    target = "the workspace root" if snapshot.target_path == "." else safe(snapshot.target_path)
    count = len(snapshot.sources)
    if not count:
        heading(f"No instruction file applies to {target}.")
    else:
        heading(
            f"{plural(count, 'instruction file')} ({size(result.total_bytes)}) {'apply' if count > 1 else 'applies'} to {target}"
        )
    click.echo(f"  workspace {safe(result.workspace)} (found by: {result.workspace_found_by})\n")
    _chain(snapshot)
    _left_out(snapshot)
    click.echo(f"fingerprint {snapshot.fingerprint}")


def _chain(snapshot: Snapshot) -> None:
    """The sources, grouped under the directory they come from and why it counts."""
    width = max((len(safe(source.path)) for source in snapshot.sources), default=0)
    for scope, group in groupby(snapshot.sources, key=lambda source: source.scope):
        sources = list(group)
        nearest = " - nearest, read last" if scope == snapshot.sources[-1].scope and snapshot.conflicts else ""
        click.secho(f"  {safe(sources[0].why_effective)}{nearest}", dim=True)
        for source in sources:
            redacted = "  (secrets redacted)" if source.redacted else ""
            click.echo(f"  {source.ordinal:>3}  {safe(source.path):<{width}}  {size(source.raw_bytes):>12}{redacted}")
    if len(snapshot.sources) > 1:
        click.echo("\n  Read from top to bottom; where two disagree, the later, nearer one prevails.")
    click.echo()


def _left_out(snapshot: Snapshot) -> None:
    if snapshot.ignored:
        heading("Not applied")
        table([(safe(item.path), item.reason) for item in snapshot.ignored])
        click.echo()
    if snapshot.conflicts:
        heading("Same kind at several levels (both apply, the nearer is read later)")
        table(
            [
                (safe(item.lower_precedence_path), f"then {safe(item.higher_precedence_path)}")
                for item in snapshot.conflicts
            ]
        )
        click.echo()
