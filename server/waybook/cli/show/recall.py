"""Recall as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from waybook.cli.show.notes import lines
from waybook.cli.show.words import heading, plural, safe, size, when

if TYPE_CHECKING:
    from waybook.recall.model import Page, Receipts, Results


def _stamp(at: str) -> str:
    return when(at) if at else "time unknown"


def show_results(result: Results) -> None:
    """One result after another, with its handle."""
    for hit in result.hits:
        click.secho(f"{hit.kind}  {_stamp(hit.at)}  {safe(hit.title)}  {size(hit.bytes)}", bold=True)
        click.echo(f"  {safe(hit.excerpt)}")
        click.echo(f"  handle: {hit.handle}")
    if not result.hits:
        click.echo(f"Nothing found among {plural(result.scanned, 'record')}.")
    if result.next_cursor:
        click.echo(f"More: --cursor {result.next_cursor}")


def show_page(page: Page) -> None:
    """The text of one page, and how to get the next."""
    end = page.total_bytes if page.next_offset is None else page.next_offset
    heading(f"{page.kind}  {safe(page.title)}  bytes {page.offset:,} to {end:,} of {page.total_bytes:,}")
    lines(page.text)
    if page.next_offset is not None:
        click.echo(f"Next: --offset {page.next_offset} --content-sha256 {page.content_sha256}")


def show_receipts(result: Receipts) -> None:
    """One line a finished call; the beginning of what it gave."""
    for item in result.receipts:
        code = f", exit code {item.exit_code}" if item.exit_code is not None else ""
        click.secho(f"{safe(item.name)}: {item.state}{code}, {size(item.bytes)}", bold=True)
        lines(item.text)
        if not item.whole:
            click.echo(f"  read it: waybook specialist-result read ... {item.handle}")
    if not result.receipts:
        click.echo("No finished tool calls.")
    if result.open_calls:
        click.echo(f"{plural(result.open_calls, 'call')} without an outcome to be shown.")
