"""References as people read them. A prepared prompt goes to standard output as it is, ready for a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from waybook.cli.show.words import plural, safe, size, table, when

if TYPE_CHECKING:
    from waybook.commands.references_candidates import Candidates
    from waybook.commands.references_decode import Decoded
    from waybook.commands.references_encode import Encoded
    from waybook.references.mentions import Parsed
    from waybook.references.model import Prepared, Provenance


def show_encoded(result: Encoded) -> None:
    """The URI."""
    click.echo(result.uri)


def show_decoded(result: Decoded) -> None:
    """The id."""
    click.echo(safe(result.id))


def show_parsed(result: Parsed) -> None:
    """The sessions; the text is for programs."""
    if not result.references:
        click.echo("No session is mentioned.")
    table([(safe(item.session_id), safe(item.label)) for item in result.references], "")


def show_prepared(result: Prepared) -> None:
    """The message; what went into it is told on standard error."""
    if sys.stdout.isatty():
        for line in result.text.split("\n"):
            click.echo(safe(line))
    else:
        click.echo(result.text.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode(), nl=False)
    for item in result.references:
        click.echo(f"{safe(item.label)}: {_kept(item)}", err=True)
    click.echo(size(result.bytes), err=True)


def _kept(item: Provenance) -> str:
    kept = f"{item.retained_messages:,} of {plural(item.original_messages, 'message')}, {size(item.bytes)}"
    return f"{kept}; {size(item.omitted_bytes)} of text left out" if item.truncated else kept


def show_candidates(result: Candidates) -> None:
    """One line a session, and how to mention the first."""
    if not result.candidates:
        click.echo("No session found. Import what your agents wrote first, or use fewer words.")
        return
    table(
        [
            (
                item.id,
                item.agent,
                when(item.updated_at) if item.updated_at else "",
                plural(item.messages, "message"),
                item.cwd,
                item.label,
            )
            for item in result.candidates
        ],
        "",
    )
    click.echo(f"\nTo mention the first: {result.candidates[0].mention}")
