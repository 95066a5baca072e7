"""Candidates for memory as people read them: the whole text, where it comes from, and how to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.notes import lines
from waybook.cli.show.words import heading, paragraph, plural, safe, table, when

if TYPE_CHECKING:
    from waybook.memory.candidates.model import Candidate, Decision, Queue


def show_candidate(candidate: Candidate) -> None:
    """One candidate, or what is left of a reviewed one."""
    heading(f"{candidate.id}  {candidate.status}, version {candidate.version}")
    basis = candidate.basis
    rows = [
        ("source", f"note {candidate.note_id} version {candidate.note_version}, written by an {candidate.author}"),
        ("work", ", ".join(filter(None, (candidate.run_id, candidate.thread_id)))),
        (
            "done",
            f"{basis.kind} {safe(basis.reference)}".rstrip()
            + f" ({basis.completion_id}), {when(basis.recorded_at)} by {safe(basis.recorded_by)}",
        ),
        ("fingerprint", candidate.fingerprint),
    ]
    rows += [("reference", safe(item)) for item in candidate.references or ()]
    if candidate.title is not None:
        rows.insert(0, ("title", safe(candidate.title)))
    if candidate.reviewed_by and candidate.reviewed_at:
        rows.append(("reviewed", f"{when(candidate.reviewed_at)} by {safe(candidate.reviewed_by)}"))
    if candidate.memory_id:
        rows.append(("memory", candidate.memory_id))
    table(rows)
    if candidate.content is None:
        return
    click.echo()
    lines(candidate.content)
    click.echo()
    click.echo(paragraph(basis.confidence, "  "))
    if candidate.source_changed:
        click.echo("  Its note has changed since: `waybook candidates list` derives it anew.")
        return
    seen = f"{candidate.id} --version {candidate.version} --note-version {candidate.note_version} \\"
    click.echo(f"  keep: waybook candidates confirm {seen}")
    click.echo(f"          --fingerprint {candidate.fingerprint} --confirm")
    click.echo("  drop: the same with `reject` and without --confirm")


def show_queue(result: Queue) -> None:
    """Every candidate in full: nothing is to be confirmed unread."""
    if not result.candidates:
        click.echo(f"Nothing waits ({plural(result.scanned, 'note')} looked at).")
        return
    for number, candidate in enumerate(result.candidates):
        if number:
            click.echo()
        show_candidate(candidate)
    if result.more:
        click.echo(f"\n{plural(result.more, 'more candidate')} after these.")


def show_decision(result: Decision) -> None:
    """What became of a candidate."""
    candidate = result.candidate
    before = " before" if result.repeated else ""
    if result.memory_id:
        click.echo(f"{candidate.id} was confirmed{before} as memory {result.memory_id}.")
    else:
        click.echo(f"{candidate.id} was rejected{before}.")
    click.echo(f"The candidate keeps no text (version {candidate.version}); its note {candidate.note_id} stays.")
    if result.erasure == "pending":
        click.echo("Another program is reading the store: the text leaves the file with the next write.")
